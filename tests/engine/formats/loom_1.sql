PRAGMA page_size = 4096;
PRAGMA application_id = 0x4C4F4F4D;
PRAGMA user_version = 1;
CREATE TABLE about (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
CREATE TABLE setting (
  name TEXT PRIMARY KEY NOT NULL,
  value ANY NOT NULL
) STRICT;

CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  duration INTEGER NOT NULL,
  parent INTEGER,
  is_milestone INTEGER NOT NULL,
  is_duration_typed INTEGER NOT NULL,
  pin_kind TEXT NOT NULL,
  pin INTEGER NOT NULL,
  source TEXT NOT NULL
) STRICT;
CREATE TABLE dependency (
  position INTEGER PRIMARY KEY,
  predecessor INTEGER NOT NULL,
  successor INTEGER NOT NULL,
  kind TEXT NOT NULL,
  lag INTEGER NOT NULL,
  lag_kind TEXT NOT NULL
) STRICT;
CREATE TABLE calendar (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE shift (
  position INTEGER PRIMARY KEY,
  weekday INTEGER NOT NULL,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL
) STRICT;
CREATE TABLE calendar_exception (
  position INTEGER PRIMARY KEY,
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT;
CREATE TABLE exception_shift (
  position INTEGER PRIMARY KEY,
  exception INTEGER NOT NULL,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL
) STRICT;
CREATE TABLE resource (
  position INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
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
  shape TEXT NOT NULL,
  dtype TEXT NOT NULL,
  memory TEXT NOT NULL,
  fill TEXT NOT NULL,
  seed INTEGER NOT NULL,
  file TEXT NOT NULL
) STRICT;
CREATE TABLE operation (
  task INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
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
  access TEXT NOT NULL,
  buffer TEXT NOT NULL
) STRICT;
CREATE TABLE run (
  position INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  device TEXT NOT NULL,
  outcome TEXT NOT NULL,
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
  run INTEGER NOT NULL,
  is_predicted INTEGER NOT NULL,
  task INTEGER NOT NULL,
  iteration INTEGER NOT NULL,
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  stream INTEGER NOT NULL,
  engine TEXT NOT NULL,
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
INSERT INTO about VALUES ('format', 'Warploom plan'), ('version', '1');
INSERT INTO setting VALUES ('name', 'Office'), ('clock', 'calendar'), ('start', 1740988800), ('next_task_id', 6),
  ('profile', 'cpu-default'), ('hours_per_day', 7.5);
INSERT INTO task VALUES (1, 0, 'Phase', 0, NULL, 0, 1, 'asap', 0, ''), (2, 1, 'Design', 28800, 1, 0, 1, 'asap', 0, ''),
  (3, 2, 'Build', 57600, 1, 0, 1, 'asap', 0, ''), (4, 3, 'Done', 0, NULL, 1, 1, 'asap', 0, ''),
  (5, 4, 'Paint', 14400, NULL, 0, 1, 'asap', 0, '');
INSERT INTO dependency VALUES (0, 2, 3, 'FS', 0, 'working'), (1, 3, 4, 'FS', 0, 'working');
INSERT INTO calendar VALUES (1, 'Standard');
INSERT INTO shift VALUES (0, 0, 28800, 43200), (1, 0, 46800, 61200), (2, 1, 28800, 43200), (3, 1, 46800, 61200),
  (4, 2, 28800, 43200), (5, 2, 46800, 61200), (6, 3, 28800, 43200), (7, 3, 46800, 61200), (8, 4, 28800, 43200),
  (9, 4, 46800, 61200);
INSERT INTO calendar_exception VALUES (0, 20151, 20152, 'Fair'), (1, 20153, 20153, 'Short day');
INSERT INTO exception_shift VALUES (0, 1, 28800, 43200);
INSERT INTO resource VALUES (0, 1, 'Crew', 'work', 2.0);
INSERT INTO assignment VALUES (0, 2, 1, 0.5);
