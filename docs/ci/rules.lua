-- The rules of the controller in examples/control: docs/check.md describes each.
-- A hole in the trace makes each rule below "cannot tell" (exit code 5). With loss{max = 0} it would be a failure.

-- Every job of a task must be over before its next one.
deadline{task = "sample", "1 ms"}
deadline{task = "control", "5 ms"}
deadline{task = "report", "50 ms"}

-- How much may each take, and when.
execution{task = "control", max = "100 us"}
response{task = "control", max = "300 us", p95 = "250 us"}
cpu{task = "control", max = "3 %", window = "100 ms"}
irq{irq = "SysTick", max = "50 us"}
period{irq = "SysTick", min = "900 us", max = "1.1 ms"}

-- A tick is followed by a sample, a sample is not dropped.
after{"SysTick", within = "500 us", expect = "sample runs"}
queue{object = "samples", max = 5}
counter{name = "duty", min = 0, max = 1023}
