/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The settings: net.mrc.*, netlink's settings-get and settings-set, and, by
 * Documentation/networking/settings, the table in mrc.rst. Included in the
 * initialiser of an array.
 *
 *	INTEGER(name, first value, least, most, what it means)
 *	TRIPLET(name, three first values, least, most, what it means)
 *	VARIANT(name, names of values 0 and 1, what it means), at first 0
 *
 * The values of a triple do not decrease. struct mrc_sysctl has a field for
 * each, in this order.
 */
INTEGER(udp_port, MRC_UDP_PORT, 1, 65535,
	"UDP port of both sides; changes only while there are no sockets (EBUSY)"),
INTEGER(paths, 32, 1, 256, "EVs of a connection in use"),
INTEGER(standby, 32, 0, 256,
	"EVs that relieve bad ones, or those on a crowded link; 256 with those in use"),
TRIPLET(rmem, 4096, 512 << 10, 32 << 20, 4096, 1 << 30,
	"receive buffer: smallest, first, and largest that it grows to, bytes"),
TRIPLET(wmem, 4096, 256 << 10, 16 << 20, 4096, 1 << 30,
	"send buffer, likewise"),
VARIANT(congestion_control, "nscc", "none",
	"of new connections; none: all that the receiver's PSN window holds"),
INTEGER(init_timeout_ms, 20, 1, 60000,
	"first wait for an answer to INIT; doubles"),
INTEGER(init_retries, 10, 0, 16, "further INITs before ETIMEDOUT"),
INTEGER(user_timeout_ms, 60000, 1, 3600000,
	"unanswered data ends the connection"),
INTEGER(fin_timeout_ms, 10000, 1, 3600000,
	"a closed socket waits for the peer's end"),
INTEGER(keepalive_time_s, 7200, 1, 32767,
	"SO_KEEPALIVE: silence before the first probe"),
INTEGER(keepalive_intvl_s, 75, 1, 32767,
	"time from one keepalive probe to the next"),
INTEGER(keepalive_probes, 9, 1, 127,
	"unanswered keepalive probes end the connection"),
INTEGER(max_pending, 256, 0, 1048576,
	"half-open connections of a listener before RETRY"),
INTEGER(ack_bytes, 16384, 1, 1048576, "bytes received before a SACK"),
INTEGER(ack_delay_us, 500, 0, 1000000, "longest wait of a SACK"),
INTEGER(pto_min_us, 200, 1, 1000000, "smallest probe timeout of a path"),
INTEGER(rto_min_us, 10000, 1, 1000000, "smallest retransmission timeout"),
INTEGER(rto_max_ms, 5000, 1, 60000, "largest retransmission timeout"),
INTEGER(probe_min_us, 2000, 1, 1000000,
	"first wait between probes of a bad path; doubles"),
INTEGER(probe_max_ms, 200, 1, 8000, "largest wait between probes"),
INTEGER(pmtu_raise_ms, 600000, 0, 3600000,
	"larger packets are tried again on a path that did not carry them; 0: never"),
INTEGER(reset_rate, 1000, 0, 1048576,
	"RESETs without a connection, a second"),
INTEGER(event_rate, 64, 1, 65535,
	"path events of a connection told to watchers, a second"),
