"""Prints the shaders' source as PictureShader.swift has it: the string of three quotes, without its indentation."""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
found = re.findall(r'static let source = """\n(.*?)\n( *)"""\n', text, re.DOTALL)
if len(found) != 1:
    sys.exit(f"{sys.argv[1]}: {len(found)} strings of the name 'source', not one")
lines, indentation = found[0]
if "\\" in lines:
    sys.exit(f"{sys.argv[1]}: the source has an escape or an interpolation, which this doesn't read")
for line in lines.split("\n"):
    if line and not line.startswith(indentation):
        sys.exit(f"{sys.argv[1]}: a line is indented less than the closing quotes: {line}")
    print(line[len(indentation) :])
