"""Renders Mustache cases with pystache, to compare another implementation.

Each line of stdin is {"text", "data", "partials"}; each line of stdout the
rendered string as JSON. Exits 77 where pystache is not installed
(Debian: python3-pystache).
"""
import json
import sys

try:
    import pystache
except ImportError:
    sys.stdin.read()
    sys.exit(77)


def escape(text):
    for char, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"),
                       ('"', "&quot;")):
        text = text.replace(char, name)
    return text


for line in sys.stdin:
    case = json.loads(line)
    renderer = pystache.Renderer(escape=escape, partials=case["partials"],
                                 missing_tags="ignore")
    print(json.dumps(renderer.render(case["text"], case["data"])))
