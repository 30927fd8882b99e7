"""The tables of a .loom file, version 1, readable with any SQLite tool. It never reads or writes one.

A new version raises VERSION, and its reader keeps reading the older ones.
"""

from __future__ import annotations

APPLICATION_ID = 0x4C4F4F4D  # "LOOM", kept in the header of the file
VERSION = 1

TABLES = """
PRAGMA page_size = 4096;
PRAGMA application_id = 0x4C4F4F4D;
PRAGMA user_version = 1;
CREATE TABLE about (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
CREATE TABLE setting (
  name TEXT PRIMARY KEY NOT NULL,  -- name, clock, start, next_task_id, profile, hours_per_day
  value ANY NOT NULL
) STRICT;
-- A tick is a second of naive local time since 1970 (clock "calendar"), or a nanosecond of a run (clock "device").
CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,       -- row in the table, from 0
  name TEXT NOT NULL,
  duration INTEGER NOT NULL,       -- working ticks
  parent INTEGER,                  -- the summary it lies in: a task's id
  is_milestone INTEGER NOT NULL,   -- 0 or 1
  is_duration_typed INTEGER NOT NULL, -- 0: the device profile gives the duration
  pin_kind TEXT NOT NULL,          -- asap: none; snet: starts no earlier than
  pin INTEGER NOT NULL,            -- tick
  source TEXT NOT NULL             -- its id in the file it came from
) STRICT;
CREATE TABLE dependency (
  position INTEGER PRIMARY KEY,
  predecessor INTEGER NOT NULL,
  successor INTEGER NOT NULL,
  kind TEXT NOT NULL,              -- FS, SS, FF or SF
  lag INTEGER NOT NULL,            -- ticks, or percent of the predecessor's duration
  lag_kind TEXT NOT NULL           -- working, elapsed or percent
) STRICT;
CREATE TABLE calendar (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE shift (
  position INTEGER PRIMARY KEY,
  weekday INTEGER NOT NULL,        -- 0 is Monday
  start INTEGER NOT NULL,          -- second of the day
  finish INTEGER NOT NULL
) STRICT;
CREATE TABLE calendar_exception (
  position INTEGER PRIMARY KEY,    -- a later one wins
  first_day INTEGER NOT NULL,      -- days since 1970-01-01
  last_day INTEGER NOT NULL,       -- inclusive
  name TEXT NOT NULL
) STRICT;
CREATE TABLE exception_shift (
  position INTEGER PRIMARY KEY,
  exception INTEGER NOT NULL,      -- position of a calendar_exception; one without shifts is a day off
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL
) STRICT;
CREATE TABLE resource (
  position INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,              -- work, material, machine or stream
  capacity REAL NOT NULL
) STRICT;
CREATE TABLE assignment (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  units REAL NOT NULL
) STRICT;
CREATE TABLE buffer (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  shape TEXT NOT NULL,             -- such as 1080x1920x3
  dtype TEXT NOT NULL,
  memory TEXT NOT NULL,            -- pinned or pageable
  fill TEXT NOT NULL,              -- none, zeros, seed or file
  seed INTEGER NOT NULL,
  file TEXT NOT NULL               -- beside this file
) STRICT;
CREATE TABLE operation (
  task INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,              -- copy_in, copy_out, copy_within, kernel, memset or host
  kernel TEXT NOT NULL
) STRICT;
CREATE TABLE operation_parameter (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  name TEXT NOT NULL,
  value REAL NOT NULL
) STRICT;
CREATE TABLE operation_buffer (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  access TEXT NOT NULL,            -- read or write
  buffer TEXT NOT NULL
) STRICT;
CREATE TABLE run (
  position INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  device TEXT NOT NULL,
  outcome TEXT NOT NULL,           -- finished, failed or canceled
  device_name TEXT NOT NULL,
  stamps TEXT NOT NULL,
  error TEXT NOT NULL,
  failed_task INTEGER NOT NULL,
  repeat INTEGER NOT NULL,
  bound_ns INTEGER,
  is_verified INTEGER
) STRICT;
CREATE TABLE run_stream (position INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE run_task (
  position INTEGER PRIMARY KEY, run INTEGER NOT NULL, task INTEGER NOT NULL, name TEXT NOT NULL
) STRICT;
CREATE TABLE run_link (
  position INTEGER PRIMARY KEY, run INTEGER NOT NULL, predecessor INTEGER NOT NULL, successor INTEGER NOT NULL
) STRICT;
CREATE TABLE span (
  position INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,            -- position of a run
  is_predicted INTEGER NOT NULL,
  task INTEGER NOT NULL,
  iteration INTEGER NOT NULL,
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  stream INTEGER NOT NULL,         -- 0 is the first run_stream
  engine TEXT NOT NULL,            -- copy_in, compute, copy_out or host
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL
) STRICT;
CREATE VIEW task_readable AS
  SELECT t.position, t.id, t.name, p.name AS summary,
    CASE clock.value WHEN 'calendar' THEN (t.duration / 3600.0) || ' h'
      ELSE (t.duration / 1e6) || ' ms' END AS duration,
    CASE t.pin_kind WHEN 'asap' THEN ''
      ELSE CASE clock.value WHEN 'calendar' THEN datetime(t.pin, 'unixepoch') ELSE (t.pin / 1e6) || ' ms' END END AS pin
  FROM task t LEFT JOIN task p ON p.id = t.parent JOIN setting clock ON clock.name = 'clock' ORDER BY t.position;
CREATE VIEW dependency_readable AS
  SELECT p.name AS predecessor, d.kind, d.lag, d.lag_kind, s.name AS successor
  FROM dependency d JOIN task p ON p.id = d.predecessor JOIN task s ON s.id = d.successor ORDER BY d.position;
CREATE VIEW exception_readable AS
  SELECT name, date(first_day * 86400, 'unixepoch') AS first, date(last_day * 86400, 'unixepoch') AS last
  FROM calendar_exception ORDER BY position;
"""
