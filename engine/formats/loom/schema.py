"""The tables of a .loom file, versions 3 and 4, readable with any SQLite tool. It never reads or writes one.

A new version raises VERSION, and its reader keeps reading the older ones. Version 1 had one calendar and no more of a
task than its duration, its links and its pin; version 2 did not know when a part was launched, nor
the pauses and the lanes of a run, nor contours of work; version 3 did not know branches, nor shop floors
(shop.py), nor operations that run once. A plan without any is still written as version 3, so that an older Warploom
opens it.
"""

from __future__ import annotations

APPLICATION_ID = 0x4C4F4F4D  # "LOOM", kept in the header of the file
VERSION = 4
# What a plan is written as that has none of what version 4 brought.
PLAIN_VERSION = 3
# The tables that earlier versions had not, and the version that brought each.
SINCE = {
    "task_split": 2,
    "resource_capacity": 2,
    "baseline": 2,
    "baseline_task": 2,
    "field": 2,
    "run_pause": 3,
    "run_engine": 3,
    "kernel": 3,
    "kernel_parameter": 3,
    "branch_base": 4,
    "branch": 4,
}

TABLES = """
PRAGMA page_size = 4096;
PRAGMA application_id = 0x4C4F4F4D;
PRAGMA user_version = 3;
CREATE TABLE about (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
CREATE TABLE setting (
  name TEXT PRIMARY KEY NOT NULL,  -- name, clock, start, next_task_id, and the choices kept in the plan
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
  pin_kind TEXT NOT NULL,          -- asap: none; alap, snet, snlt, fnet, fnlt, mso, mfo
  pin INTEGER NOT NULL,            -- tick
  source TEXT NOT NULL,            -- its id in the file it came from
  is_elapsed INTEGER NOT NULL,     -- 1: the duration counts every tick
  is_manual INTEGER NOT NULL,      -- 1: keeps the manual dates
  manual_start INTEGER,            -- tick
  manual_finish INTEGER,           -- tick
  is_active INTEGER NOT NULL,
  calendar INTEGER,                -- its own calendar's id
  ignores_resource_calendars INTEGER NOT NULL,
  deadline INTEGER,                -- tick
  priority INTEGER NOT NULL,       -- 0 to 1000
  delay INTEGER NOT NULL,          -- elapsed ticks that leveling added
  percent REAL,                    -- done, of the duration; no progress is known where this is NULL
  actual_start INTEGER,            -- tick
  actual_finish INTEGER,           -- tick
  remaining INTEGER,               -- working ticks
  recorded_start INTEGER,          -- tick, as the file it came from had it
  recorded_finish INTEGER,
  effort TEXT NOT NULL             -- what stays when another changes: units, duration or work
) STRICT;
CREATE TABLE task_split (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  work INTEGER NOT NULL,           -- working ticks done before the pause
  gap INTEGER NOT NULL             -- working ticks of pause
) STRICT;
CREATE TABLE dependency (
  position INTEGER PRIMARY KEY,
  predecessor INTEGER NOT NULL,
  successor INTEGER NOT NULL,
  kind TEXT NOT NULL,              -- FS, SS, FF or SF
  lag INTEGER NOT NULL,            -- ticks, or percent of the predecessor's duration
  lag_kind TEXT NOT NULL           -- working, elapsed, percent or elapsed percent
) STRICT;
CREATE TABLE calendar (
  position INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  base INTEGER,                    -- id of the calendar whose days hold where this one says nothing
  is_project INTEGER NOT NULL      -- 1: the plan's own
) STRICT;
CREATE TABLE work_week (           -- a calendar's week for a period only
  position INTEGER PRIMARY KEY,
  calendar INTEGER NOT NULL,
  number INTEGER NOT NULL,         -- from 1; a later one wins
  first_day INTEGER NOT NULL,      -- days since 1970-01-01
  last_day INTEGER NOT NULL,       -- inclusive
  name TEXT NOT NULL
) STRICT;
CREATE TABLE calendar_day (
  position INTEGER PRIMARY KEY,
  calendar INTEGER NOT NULL,
  week INTEGER NOT NULL,           -- number of a work_week, or 0: the calendar's own
  weekday INTEGER NOT NULL,        -- 0 is Monday
  hours TEXT                       -- such as 08:00-12:00,13:00-17:00; NULL: as in the base
) STRICT;
CREATE TABLE calendar_exception (
  position INTEGER PRIMARY KEY,    -- a later one wins
  calendar INTEGER NOT NULL,
  first_day INTEGER NOT NULL,      -- days since 1970-01-01
  last_day INTEGER NOT NULL,       -- inclusive
  hours TEXT NOT NULL,             -- none: a day off
  name TEXT NOT NULL,
  recurs TEXT,                     -- daily, weekly, monthly_day, monthly_position, yearly_day, yearly_position
  period INTEGER,                  -- every so many days, weeks, months or years
  weekdays TEXT,                   -- such as 0,4 (0 is Monday)
  month_day INTEGER,
  month INTEGER,
  place INTEGER,                   -- in the month: 1 to 4, 5 is the last
  occurrences INTEGER              -- 0: until the last day
) STRICT;
CREATE TABLE resource (
  position INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,              -- work, material, machine or stream
  capacity REAL NOT NULL,
  calendar INTEGER,
  source TEXT NOT NULL             -- its id in the file it came from
) STRICT;
CREATE TABLE resource_capacity (   -- times at which the capacity is another
  position INTEGER PRIMARY KEY,
  resource INTEGER NOT NULL,
  first INTEGER NOT NULL,          -- tick
  last INTEGER NOT NULL,           -- tick, exclusive
  units REAL NOT NULL
) STRICT;
CREATE TABLE assignment (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  units REAL NOT NULL,
  work INTEGER,                    -- working ticks of one unit; NULL: what duration, units and contour make of it
  contour TEXT NOT NULL            -- how the work is spread: flat, back, front, double, early, late, bell, turtle, hand
) STRICT;
CREATE TABLE baseline (position INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE baseline_task (
  position INTEGER PRIMARY KEY,
  baseline INTEGER NOT NULL,       -- position of a baseline
  task INTEGER NOT NULL,
  start INTEGER NOT NULL,          -- tick
  finish INTEGER NOT NULL,         -- tick
  duration INTEGER NOT NULL        -- working ticks
) STRICT;
CREATE TABLE field (               -- what a foreign file says beyond all this
  position INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,             -- plan, task, resource or assignment
  id INTEGER NOT NULL,             -- of the task or resource; the position of the assignment; 0
  name TEXT NOT NULL,
  text TEXT NOT NULL
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
CREATE TABLE kernel (               -- a person's own, of a kit beside this file
  position INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kit TEXT NOT NULL,               -- the folder; files are named from there
  reads TEXT NOT NULL,             -- names of buffers, such as frame,weights
  writes TEXT NOT NULL,
  summary TEXT NOT NULL,
  python TEXT NOT NULL,            -- such as filters.py:blur
  cuda TEXT NOT NULL,              -- such as blur.cu:blur
  reference TEXT NOT NULL,         -- such as filters.py:blur_plain
  dtype TEXT NOT NULL,
  is_one_shape INTEGER NOT NULL,
  is_in_place INTEGER NOT NULL,
  split TEXT NOT NULL,             -- none or rows
  tolerance REAL NOT NULL,
  flops_per_item REAL NOT NULL,
  bytes_per_item REAL NOT NULL
) STRICT;
CREATE TABLE kernel_parameter (
  position INTEGER PRIMARY KEY,
  kernel TEXT NOT NULL,
  name TEXT NOT NULL,
  usual REAL NOT NULL,
  minimum REAL NOT NULL,
  maximum REAL NOT NULL,
  is_whole INTEGER NOT NULL
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
  position INTEGER PRIMARY KEY, run INTEGER NOT NULL, task INTEGER NOT NULL, name TEXT NOT NULL,
  lanes INTEGER NOT NULL           -- how many of its engine it takes
) STRICT;
CREATE TABLE run_engine (
  position INTEGER PRIMARY KEY, run INTEGER NOT NULL, engine TEXT NOT NULL, lanes INTEGER NOT NULL
) STRICT;
CREATE TABLE run_link (
  position INTEGER PRIMARY KEY, run INTEGER NOT NULL, predecessor INTEGER NOT NULL, successor INTEGER NOT NULL,
  iterations INTEGER NOT NULL      -- 0: of the same iteration; 1: the predecessor of the one before
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
  end_ns INTEGER NOT NULL,
  launch_ns INTEGER                -- when the host handed it to the device; NULL: not known
) STRICT;
CREATE TABLE run_pause (           -- nothing ran, because a person had paused the run
  position INTEGER PRIMARY KEY, run INTEGER NOT NULL, start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL
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
  SELECT c.name AS calendar, e.name, date(e.first_day * 86400, 'unixepoch') AS first,
    date(e.last_day * 86400, 'unixepoch') AS last, e.hours, e.recurs
  FROM calendar_exception e JOIN calendar c ON c.id = e.calendar ORDER BY e.position;
"""

# Only in a plan that has such operations.
ONCE_TABLE = """
CREATE TABLE operation_once (       -- operations of the first pass of a run only
  task INTEGER PRIMARY KEY
) STRICT;
"""
BRANCH_TABLES = """
PRAGMA user_version = 4;
CREATE TABLE branch_base (         -- what branches and the main plan had in common
  position INTEGER PRIMARY KEY,
  plan BLOB NOT NULL               -- a .loom file of its own
) STRICT;
CREATE TABLE branch (
  position INTEGER PRIMARY KEY,
  letter TEXT NOT NULL,            -- A to Z, without M: that is the main plan's
  name TEXT NOT NULL,
  base INTEGER NOT NULL,           -- position of a branch_base
  plan BLOB NOT NULL               -- a .loom file of its own, with its runs
) STRICT;
"""
