#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What a capture says of AF_MRC's packets.

usage: mrc_pcap.py FILE ADDRESS STRIDE

ADDRESS is whose packets are looked at; STRIDE is the UDP payload of a full
segment, to tell the segments of a packet that was captured whole before it is
cut. Prints NAME=VALUE lines:
  data       DATA packets (of one or, before segmentation, several segments)
  segments   segments in them
  evs        different entropy values (UDP source ports) of DATA
  ack_evs    different entropy values of SACK
  mixed      segments that do not continue the one before in their packet, on
             its path, and packets whose EV was that of another path before
  runs       of consecutive DATA packets with one EV
  run_max    most segments in one of them
  whole_max  most segments in one packet
  retrans    retransmitted segments
  same_ev    of these, how many took the entropy value of the transmission
             before
"""
import ipaddress
import struct
import sys

PORT = 4792
DATA, SACK = 1, 2
F_RETRANS = 0x04
DATA_HDR = 28
ETH_HDR, UDP_HDR = 14, 8


def packets(name):
    """Yields the captured octets of each Ethernet frame."""
    with open(name, "rb") as f:
        head = f.read(24)
        order = "<" if head[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") \
            else ">"
        while len(record := f.read(16)) == 16:
            yield f.read(struct.unpack(order + "4I", record)[2])


def udp(frame):
    """Returns (source address, UDP header and what follows), or None."""
    kind = frame[12:14]
    if kind == b"\x08\x00" and frame[ETH_HDR + 9] == 17:
        header = (frame[ETH_HDR] & 15) * 4
        source = frame[ETH_HDR + 12:ETH_HDR + 16]
    elif kind == b"\x86\xdd" and frame[ETH_HDR + 6] == 17:
        header = 40
        source = frame[ETH_HDR + 8:ETH_HDR + 24]
    else:
        return None
    return ipaddress.ip_address(source), frame[ETH_HDR + header:]


def segment(mrc, at):
    """Returns (flags, path and generation, cid, psn, offset)."""
    _, flags, path, gen, cid, psn, _, offset = \
        struct.unpack_from("!BBBBQIIQ", mrc, at)
    return flags, (path, gen), cid, psn, offset


class Capture:
    def __init__(self, stride):
        self.stride = stride
        self.count = dict.fromkeys("data segments mixed runs run_max whole_max "
                                   "retrans same_ev".split(), 0)
        self.evs, self.ack_evs = set(), set()
        self.path_of = {}           # (cid, EV) -> (path, generation)
        self.sent_by = {}           # (cid, offset) -> EV of the last time
        self.last_ev, self.run = None, 0

    def most(self, name, value):
        self.count[name] = max(self.count[name], value)

    def data(self, ev, mrc, length):
        segments = -(-length // self.stride)
        self.count["data"] += 1
        self.count["segments"] += segments
        self.evs.add(ev)
        if ev != self.last_ev:
            self.count["runs"] += 1
            self.last_ev, self.run = ev, 0
        self.run += segments
        self.most("run_max", self.run)
        self.most("whole_max", segments)
        before = None
        for at in range(0, length, self.stride):
            if at + DATA_HDR > len(mrc):
                break               # not captured
            before = self.one(ev, segment(mrc, at), before)

    def one(self, ev, this, before):
        flags, path, cid, psn, offset = this
        if before:
            good = before[1:3] == (path, cid) and \
                (psn - before[3]) % 2 ** 32 == 1 and \
                offset == before[4] + self.stride - DATA_HDR
        else:
            good = self.path_of.setdefault((cid, ev), path) == path
        self.count["mixed"] += not good
        if flags & F_RETRANS:
            self.count["retrans"] += 1
            self.count["same_ev"] += self.sent_by.get((cid, offset)) == ev
        self.sent_by[cid, offset] = ev
        return this

    def packet(self, datagram):
        ev, dport, length = struct.unpack("!HHH", datagram[:6])
        mrc = datagram[UDP_HDR:]
        if dport != PORT or len(mrc) < DATA_HDR:
            return
        if mrc[0] & 15 == DATA:
            self.data(ev, mrc, length - UDP_HDR)
        elif mrc[0] & 15 == SACK:
            self.ack_evs.add(ev)


def main():
    capture = Capture(int(sys.argv[3]))
    address = ipaddress.ip_address(sys.argv[2])
    for frame in packets(sys.argv[1]):
        found = udp(frame)
        if found and found[0] == address and len(found[1]) > UDP_HDR:
            capture.packet(found[1])
    for name, value in capture.count.items():
        print(f"{name}={value}")
    print(f"evs={len(capture.evs)}")
    print(f"ack_evs={len(capture.ack_evs)}")


main()
