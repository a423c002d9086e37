// SPDX-License-Identifier: MIT
// Views for common questions. Times are in nanoseconds as in the tables, or in ticks if the rate is
// not known. docs/tables.md is generated from this list, and a test runs each view.

#include "wallfly_backend/wf_database.h"

// From the first to the last time of the trace, or of the selected part; null if there is none.
#define SPAN_NS                                                                                    \
    "((select value from meta where name = 'last_ns') - "                                          \
    "(select value from meta where name = 'first_ns'))"
#define PERCENT(ns) "round(100.0 * sum(" ns ") / nullif(" SPAN_NS ", 0), 3)"
#define LENGTHS(of)                                                                                \
    "min(" of ".length_ns) min_ns, round(avg(" of ".length_ns)) mean_ns, max(" of                  \
    ".length_ns) max_ns"

const struct wf_view wf_views[] = {
    {"cpu_load",
     "how long each task was on a core, and its share of the trace or the part looked at; 100 % is "
     "one "
     "core; interrupts on top of it count as its time, which `wallfly stats` takes off",
     "select t.name task, r.core, count(*) runs, sum(r.end_ns - r.begin_ns) cpu_ns, " PERCENT(
         "r.end_ns - r.begin_ns") " percent, max(r.length_ns) longest_ns "
                                  "from run r join task t using (task) group by r.task, r.core "
                                  "order by cpu_ns desc"},
    {"interrupt_load", "the same of interrupts, those on top of them included",
     "select irq, max(name) name, core, count(*) times, sum(end_ns - begin_ns) cpu_ns, " PERCENT(
         "end_ns - begin_ns") " percent, " LENGTHS("irq") " from irq group by irq, core order by "
                                                          "cpu_ns desc"},
    {"task_states", "how long each task was in each state",
     "select t.name task, s.state, count(*) times, sum(s.end_ns - s.begin_ns) ns, " PERCENT(
         "s.end_ns - s.begin_ns") " percent, " LENGTHS("s") " from state s join task t using "
                                                            "(task) group by s.task, s.state order "
                                                            "by s.task, ns desc"},
    {"ready_times", "how long each task was ready before it ran",
     "select t.name task, count(*) times, " LENGTHS(
         "s") " from state s join task t using (task) where s.state = 'ready' "
              "group by s.task order by max_ns desc"},
    // A task rests in a stretch that is not a wait for a mutex. A job lies between two rests, or
    // between an arrival and a rest. Threads of QP's kernels, whose keys are priorities, may have
    // several events in a row. tests/e2e/tables.py compares the results with the figures of stats.
    {"response_times",
     "the jobs of `wallfly stats`: from a task that waited, slept or was suspended getting ready "
     "until it does so again, waits for mutexes included; what a hole or an end of the trace cuts "
     "is left out, as are QP's threads",
     "with both as (select rowid n, task, state, begin_ns, end_ns, begin_known, end_known, "
     "length_ns, null wait_end from state where task is not null union all select null, w.task, "
     "null, w.begin_ns, null, null, null, null, w.end_ns from wait w join object o using (object) "
     "where o.kind = 'mutex'), seen as (select *, max(wait_end) over (partition by task order by "
     "begin_ns) waits_until from both), part as (select s.*, t.name, t.created, s.state in "
     "('blocked', 'delayed', 'suspended') and not (s.state = 'blocked' and coalesce(s.waits_until "
     ">= s.end_ns, 0)) rests from seen s join task t using (task) where s.n is not null and "
     "t.key like '0x%'), turn as "
     "(select *, state = 'ready' and begin_known and coalesce(lag(rests) over w and "
     "lag(end_known) over w and lag(end_ns) over w = begin_ns, created and row_number() over w = "
     "1) arrives, state = 'running' and lead(rests) over w and lead(begin_ns) over w = end_ns "
     "done from part window w as (partition by task order by n)), job as (select *, sum(arrives "
     "or rests) over (partition by task order by n) job from turn) select name task, "
     "min(begin_ns) begin_ns, max(end_ns) end_ns, max(end_ns) - min(begin_ns) response_ns, "
     "sum(length_ns) filter (where state = 'running') running_ns from job where not rests group "
     "by job.task, job having max(arrives) and max(done) and count(length_ns) = count(*) and "
     "sum(length_ns) = response_ns"},
    {"wait_times", "how often and how long tasks waited for each object",
     "select t.name task, o.name object, o.kind, count(*) waits, sum(w.got) got, " LENGTHS(
         "w") " from wait w join task t using (task) join object o using (object) "
              "group by w.task, w.object order by max_ns desc"},
    {"longest_waits", "every wait, the longest first",
     "select t.name task, o.name object, w.begin_ns, w.length_ns, w.got from wait w "
     "join task t using (task) join object o using (object) order by w.length_ns desc"},
    {"mutex_holders", "how often and how long tasks held each mutex",
     "select o.name mutex, t.name task, count(*) times, " LENGTHS(
         "h") " from hold h join task t using (task) join object o using (object) "
              "group by h.object, h.task order by o.name, max_ns desc"},
    {"blocked_by", "the holder of a mutex while a task waited for it, and how long",
     "select t.name task, o.name mutex, b.name holder, max(w.begin_ns, h.begin_ns) begin_ns, "
     "min(w.end_ns, h.end_ns) - max(w.begin_ns, h.begin_ns) ns from wait w "
     "join hold h on h.object = w.object and h.begin_ns < w.end_ns and h.end_ns > w.begin_ns "
     "join task t on t.task = w.task join task b on b.task = h.task "
     "join object o on o.object = w.object where h.task <> w.task"},
    {"wakeups", "from ready to running: the task, its waker, and the latency",
     "select t.name task, b.name waker, a.ns wake_ns, r.begin_ns run_ns, r.begin_ns - a.ns ns "
     "from action a join run r on r.flow = a.flow join task t on t.task = a.task "
     "left join task b on b.task = a.waker where a.kind = 'wake'"},
    {"messages", "from putting something into a queue to taking it out",
     "select o.name queue, p.name signal, p.sender, s.name giver, g.task is not null by_task, "
     "d.name taker, p.ns put_ns, g.ns got_ns, g.ns - p.ns ns from action p "
     "join action g on g.flow = p.flow and g.kind in ('get', 'take') "
     "join object o on o.object = p.object left join task s on s.task = p.task "
     "left join task d on d.task = g.task where p.kind in ('post', 'give')"},
    {"step_times", "how long the steps of each state machine took, by signal",
     "select o.name machine, s.name signal, count(*) steps, sum(s.moved) moved, " LENGTHS(
         "s") " from step s join object o using (object) group by s.object, s.signal order by "
              "max_ns desc"},
    {"machine_states", "how often and how long each state machine was in each state",
     "select o.name machine, s.state, count(*) times, sum(s.end_ns - s.begin_ns) ns, " LENGTHS(
         "s") " from state s join object o using (object) group by s.object, s.state order by "
              "s.object, "
              "ns desc"},
    {"span_times", "how often and how long each span of the application was",
     "select s.name span, t.name task, count(*) times, " LENGTHS(
         "s") " from span s left join task t using (task) group by s.name, s.task order by max_ns "
              "desc"},
    {"levels", "the range of each counter, queue, semaphore and pool",
     "select coalesce(o.name, c.name) name, c.kind, count(*) changes, min(c.value) least, "
     "max(c.value) most, round(avg(c.value), 3) mean from counter c "
     "left join object o using (object) group by c.kind, c.object, c.name order by name"},
    {"record_counts", "how many records of each name",
     "select group_name, name, kind, count(*) records from record group by group_name, name, kind "
     "order by records desc"},
    {"losses",
     "what is missing or damaged, when, and how long until the next record, of slots of its core",
     "select l.*, n.number next_record, n.ns - l.ns gap_ns from loss l left join record n on "
     "n.number = (select min(number) from record where number > l.record and kind <> 'loss' and "
     "(l.core is null or core = l.core))"},
    {"timeline", "of each task: its states, waits, mutexes and spans; `where task = ...`",
     "select t.name task, s.begin_ns, s.end_ns, s.state what, null of from state s "
     "join task t using (task) union all "
     "select t.name, w.begin_ns, w.end_ns, 'waits for', o.name from wait w "
     "join task t using (task) join object o using (object) union all "
     "select t.name, h.begin_ns, h.end_ns, 'holds', o.name from hold h "
     "join task t using (task) join object o using (object) union all "
     "select t.name, s.begin_ns, s.end_ns, 'span', s.name from span s join task t using (task) "
     "order by 2, 3"},
};
const unsigned wf_view_count = sizeof wf_views / sizeof *wf_views;
