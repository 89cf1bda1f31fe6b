#!/usr/bin/env python3
"""Turns what `git cat-file --batch` prints into an mbox (mboxrd)."""
import re
import sys

source, out = sys.stdin.buffer, sys.stdout.buffer
for head in iter(source.readline, b""):
    size = int(head.split()[2])
    mail = source.read(size)
    source.read(1)
    out.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n")
    out.write(re.sub(rb"(?m)^(>*From )", rb">\1", mail))
    out.write(b"\n" if mail.endswith(b"\n") else b"\n\n")
