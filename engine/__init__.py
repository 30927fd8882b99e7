"""The engine owns plans, schedules, programs and timelines. It never imports Qt."""
