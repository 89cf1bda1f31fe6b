#!/usr/bin/env python3
"""Are all keys there, in the type and the words they are to have? Reads JSON
objects, one a line, from stdin; prints what is wrong, at most 20 lines.

A type is a string: s text, not empty; t text that may be empty; i whole
number; n number; b bool; d date in UTC; h 40 hex digits; x hex digits; a|b|c
one of these words; behind any of them "?" for null. A list is [type], an
object {key: type}; (object,) may be null; {"*": type} has keys of its own.
"""
import json
import re
import sys

PERSON = {"name": "t?", "address": "s?"}
COMMIT_ROLES = "culprit|base|fixes|parent|fix|tested|reverted|mentioned"

FILE = {"path": "s?", "old_path": "s?", "insertions": "i", "deletions": "i",
        "binary": "b"}
PATCH = {"title": "t?", "version": "i", "number": "i?", "total": "i?",
         "rfc": "b", "resend": "b", "cover": "b", "change_id": "s?",
         "base_commit": "x?", "prerequisites": ["s"], "prefixes": ["s"],
         "patch_id": "h?", "commit_message": "t?", "insertions": "i?",
         "deletions": "i?", "files": [FILE]}
REPORT = {"robot": "s", "category": "performance|functional|build|boot|"
          "summary?", "direction": "regression|improvement?", "metric": "s?",
          "change_percent": "n?", "commit": "x?", "commit_subject": "s?",
          "base": "s?", "base_tree": "s?", "branch": "s?",
          "patch_message_id": "s?", "patch_url": "s?", "testcase": "s?",
          "machine": "s?", "parameters": {"*": "s"}, "compiler": "s?",
          "config": "s?", "artifacts": ["s"], "still_on": [],
          "tags_offered": ["s"], "errors": []}
TRAILER = {"key": "s", "value": "s", "name": "s?", "address": "s?",
           "note": "s?", "commit": "x?", "subject": "s?", "url": "s?",
           "line": "i", "where": "message|commit-message|notes"}
MESSAGE = {
    "message_id": "s", "message_id_made": "b", "message_ids_extra": ["s"],
    "subject": "t?", "subject_base": "t?", "from": (PERSON,),
    "from_header": "t?", "sender": (PERSON,), "reply_to": [PERSON],
    "to": [PERSON], "cc": [PERSON], "date": "d?", "date_zone": "s?",
    "in_reply_to": "s?", "references": ["s"], "list_ids": ["s"],
    "kind": "patch|cover|pull|report|reply|notice|other", "rerun": "b",
    "patch": (PATCH,),
    "pull": ({"url": "s?", "ref": "s?", "base": "x?", "commits": "i?"},),
    "trailers": [TRAILER], "report": (REPORT,), "tables": [],
    "applied": ({"kind": "applied|queued|merged|picked-stable|rejected|"
                 "reverted", "tree": "s?", "branch": "s?", "commits": ["x"],
                 "text": "t", "partial": "b", "robot": "b"},),
    "verdict_words": [], "commands": [],
    "commits": [{"id": "x", "subject": "s?", "role": COMMIT_ROLES,
                 "line": "i?"}],
    "links": [{"role": "link|closes|fixes|patch|artifact|lore|other",
               "url": "s?", "message_id": "s?"}],
    "warnings": [{"code": "s", "text": "s"}],
}
THREAD = {
    "root": "s", "count": "i",
    "messages": [{"message_id": "s", "parent": "s?", "depth": "i",
                  "ghost": "b", "kind": MESSAGE["kind"] + "?",
                  "subject": "t?", "from": (PERSON,), "date": "d?"}],
    "series": [{"cover": "s?", "cover_inherited": "b", "version": "i",
                "version_inferred": "b", "total": "i?", "complete": "b",
                "change_id": "s?", "supersedes": "s?", "superseded_by": "s?",
                "resend_of": "s?", "backport_of": "s?", "depends_on": ["s"],
                "patches": [{"message_id": "s", "number": "i?",
                             "inherited": "b"}]}],
}
SHORT = {
    "id": "s", "url": "s?", "title": "s",
    "state": "reported|bisected|fix-posted|rerun-failed|fix-tested|applied|"
             "fixed|stable-pending|duplicate|resolved|inconclusive|expected",
    "open": "b", "stalled": "b?", "backburner": "b?",
    "waiting_for": ({"role": "s", "person": "s?", "since": "d?",
                     "reason": "s", "message_id": "s?"},),
    "category": "s?", "direction": REPORT["direction"], "metric": "s?",
    "change_percent": "n?", "tree": "s?", "branch": "s?",
    "cycle": "current|previous|older|next?", "subsystems": ["s"],
    "reported": "d?", "last_activity": "d?", "messages": "i",
    "reporter": (PERSON,), "report_message_id": "s?", "report_url": "s?",
    "poked": "d?", "backburner_reason": "s?",
    "disputed": ({"by": "s?", "since": "d", "reason": "s?",
                  "message_id": "s?"},),
    "prio": "low|normal|high?", "assignee": "s?",
    "settings": [{"key": "s", "value": "s"}],
}
FIX = {"id": "x?", "subject": "s?", "patch_message_id": "s?",
       "patch_id": "h?", "role": "fix|prerequisite|revert|partial",
       "status": "posted|reviewed|tested|applied|merged|amended|reverted",
       "evidence": "s", "message_id": "s?", "trees": []}
ITEM = dict(SHORT, **{
    "culprit": ({"id": "x", "subject": "s?", "author": "s?",
                 "describe": "s?"},),
    "introduced_range": "s?", "base": "s?", "fixes": [FIX], "reruns": [],
    "test": ({"testcase": "s?", "machine": "s?", "params": {"*": "s"},
              "series_key": "s?"},),
    "tables": [], "duplicates": [], "duplicate_of": "s?", "links": [],
    "people": [dict(PERSON, role="s")],
    "events": [{"seq": "i", "time": "d?", "type": "s", "by": "s?",
                "message_id": "s?", "commit": "x?", "text": "s?"}],
    "cut": ["fixes|tags|events|people"],
})
PROBLEM = {"time": "d?", "kind": "message|table|command|commit|tree|source|"
           "delivery", "message_id": "s?", "code": "s", "text": "s",
           "item": "s?"}
OUTBOX = {"id": "i", "state": "draft|held|approved|sending|sent|partial|"
          "uncertain|retry|failed|cancelled", "why": "s?",
          "kind": "result|answer|mistake|confirm|notice|digest|alert",
          "rule": "s?", "message_id": "s", "parent": "s?", "item": "s?",
          "author": "s?", "subject": "t", "public": "b", "created": "d",
          "approved": "d?", "due": "d?", "released": "d?", "attempts": "i",
          "size": "i?", "recipients": [
              {"number": "i", "field": "to|cc", "name": "s?", "address": "s",
               "list": "b", "new": "b",
               "state": "pending|ok|temp|perm|muted", "code": "i?",
               "text": "s?"}], "lines": ["s"]}
SCHEMAS = {"culprit/message/1": MESSAGE, "culprit/thread/1": THREAD,
           "culprit/item/1": ITEM, "culprit/list/1": {"items": [SHORT]},
           "culprit/problem/1": PROBLEM, "culprit/outbox/1": OUTBOX}

PATTERNS = {"h": r"[0-9a-f]{40}", "x": r"[0-9a-f]+",
            "d": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"}


def right(value, kind):
    if kind.endswith("?"):
        if value is None:
            return True
        kind = kind[:-1]
    if kind == "b":
        return isinstance(value, bool)
    if kind in ("i", "n"):
        types = int if kind == "i" else (int, float)
        return isinstance(value, types) and not isinstance(value, bool)
    if not isinstance(value, str):
        return False
    if kind in PATTERNS:
        return re.fullmatch(PATTERNS[kind], value) is not None
    if "|" in kind:
        return value in kind.split("|")
    return kind == "t" or (kind == "s" and value != "")


def look(value, kind, path):
    """Yields a line for each thing that is wrong."""
    if isinstance(kind, str):
        if not right(value, kind):
            yield "%s: %.60r is no %s" % (path, value, kind)
    elif isinstance(kind, tuple):
        if value is not None:
            yield from look(value, kind[0], path)
    elif isinstance(kind, list):
        if not isinstance(value, list):
            yield "%s: %.60r is no list" % (path, value)
            return
        for inner in value:
            for one in kind[:1]:
                yield from look(inner, one, path + "[]")
    elif not isinstance(value, dict):
        yield "%s: %.60r is no object" % (path, value)
    elif "*" in kind:
        for key, inner in value.items():
            yield from look(inner, kind["*"], "%s.%s" % (path, key))
    else:
        for key, inner in kind.items():
            if key not in value:
                yield "%s: no %s" % (path, key)
            else:
                yield from look(value[key], inner, "%s.%s" % (path, key))


def main():
    wrong, seen = [], {}
    for line in sys.stdin:
        value = json.loads(line)
        schema = value.get("schema")
        seen[schema] = seen.get(schema, 0) + 1
        if schema not in SCHEMAS:
            wrong.append("schema: %r" % schema)
            continue
        wrong += look(value, SCHEMAS[schema], schema.split("/")[1])
    for name in sys.argv[1:]:
        if name not in seen:
            wrong.append("no object of %s" % name)
    for line in sorted(set(wrong))[:20]:
        print(line)
    print(" ".join("%s: %d" % one for one in sorted(seen.items())))
    sys.exit(1 if wrong else 0)


main()
