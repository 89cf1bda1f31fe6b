#!/usr/bin/env python3
"""Writes what `git cat-file --batch` prints as files of a Maildir."""
import os
import sys

source, folder = sys.stdin.buffer, sys.argv[1]
for number, head in enumerate(iter(source.readline, b"")):
    mail = source.read(int(head.split()[2]))
    source.read(1)
    with open(os.path.join(folder, "cur", "%06d:2,S" % number), "wb") as f:
        f.write(mail)
