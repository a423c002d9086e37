# SPDX-License-Identifier: MIT
# Draws a Grasp trace as an SVG picture. The trace is evaluated in an interpreter of its own that
# knows nothing but Grasp's commands, so it may come from anywhere.
#
#   tclsh grasp2svg.tcl [-from MS] [-to MS] [-width PIXELS] [-title TEXT] [-isr no] TRACE [SVG]
#
# A row for each task: a box where it runs, a thin bar where it could, an arrow up where a job
# arrives, a dot where it is complete, an arrow to the task that preempts it; hatching while it holds a mutex.
# A row for each buffer with its entries. Holes in the trace are grey.

# ---- contents of the trace

set now 0
set from -
set rows {}            ;# tasks and buffers, in the order of their declaration
array set name {}
array set priority {}  ;# of a task
array set isr {}
array set task {}      ;# of a job
array set runs {}      ;# since when, of a job that does
array set lives {}     ;# since when, of a job that has arrived and is not complete
array set look {}      ;# of a mutex: colour and pattern
array set taken {}     ;# of a mutex: job and time
set mutexes {}
set boxes {}           ;# row, from, to, core
set bars {}            ;# row, from, to: ready
set holdings {}        ;# row, from, to, mutex
set arrivals {}        ;# row, time
set ends {}            ;# row, time
set preemptions {}     ;# row, target's row, time
set notes {}           ;# time, text
set holes {}           ;# from, to
set hole -
array set entries {}   ;# of a buffer
set levels {}          ;# buffer, time, entries

proc option {options key default} {
    if {[dict exists $options $key]} {return [dict get $options $key]}
    return $default
}

proc declare {id options} {
    set ::name($id) [option $options -name $id]
}
proc newTask {id args} {
    declare $id $args
    set ::priority($id) [option $args -priority ""]
    set ::isr($id) [expr {[option $args -kind ""] eq "isr"}]
    lappend ::rows $id
}
proc newJob {job of args} {
    declare $job $args
    set ::task($job) $of
    set ::lives($job) $::now
}
proc newMutex {id args} {
    declare $id $args
    set ::look($id) [list [option $args -color gray] [option $args -pattern lines_up]]
    lappend ::mutexes $id
}
proc newBuffer {id args} {
    declare $id $args
    set ::entries($id) 0
    lappend ::rows $id
}
proc newSemaphore {id args} {}
proc newServer {id args} {}
proc newProcessor {id args} {}

# A job that runs without having been seen to arrive lives from there on.
proc stop {job} {
    if {![info exists ::runs($job)]} return
    lassign $::runs($job) since core
    lappend ::boxes [list $::task($job) $since $::now $core]
    unset ::runs($job)
}
proc jobArrived {job of args} {
    newJob $job $of {*}$args
    lappend ::arrivals [list $of $::now]
}
proc jobResumed {job args} {
    set ::runs($job) [list $::now [option $args -processor ""]]
    if {![info exists ::lives($job)]} {set ::lives($job) $::now}
}
proc jobPreempted {job args} {
    stop $job
    set target [option $args -target ""]
    if {[info exists ::task($target)]} {
        lappend ::preemptions [list $::task($job) $::task($target) $::now]
    }
}
proc jobCompleted {job args} {
    stop $job
    lappend ::ends [list $::task($job) $::now]
    lappend ::bars [list $::task($job) $::lives($job) $::now]
    unset ::lives($job)
}
proc jobAcquiredMutex {job mutex} {
    set ::taken($mutex) [list $job $::now]
}
proc jobReleasedMutex {job mutex} {
    if {![info exists ::taken($mutex)]} return
    lassign $::taken($mutex) holder since
    lappend ::holdings [list $::task($holder) $since $::now $mutex]
    unset ::taken($mutex)
}
proc jobAcquiredSemaphore {args} {}
proc jobReleasedSemaphore {args} {}
proc jobSuspendedOnSemaphore {args} {}
# Behind the beginning of a hole nothing is known of jobs that were there.
proc forget {} {
    foreach job [array names ::lives] {lappend ::bars [list $::task($job) $::lives($job) $::now]}
    foreach mutex [array names ::taken] {jobReleasedMutex [lindex $::taken($mutex) 0] $mutex}
    array unset ::lives
}
proc message {text args} {
    if {[string match "hole begins:*" $text]} {
        set ::hole $::now
        forget
    } elseif {$text eq "hole ends" && $::hole ne "-"} {
        lappend ::holes [list $::hole $::now]
    } elseif {$text ne "end of the trace"} {
        lappend ::notes [list $::now $text]
    }
}

proc plot {time what args} {
    if {$::from eq "-"} {set ::from $time}
    set ::now $time
    if {$what in {jobArrived jobResumed jobPreempted jobCompleted jobAcquiredMutex jobReleasedMutex message
        jobAcquiredSemaphore jobReleasedSemaphore jobSuspendedOnSemaphore}} {
        $what {*}$args
    }
}
proc bufferplot {time what buffer args} {
    set ::now $time
    incr ::entries($buffer) [dict get {push 1 pop -1 drop -1 resize 0} $what]
    lappend ::levels [list $buffer $time $::entries($buffer)]
}

proc evaluate {file} {
    interp create -safe trace
    foreach command [trace eval {info commands}] {trace hide $command}
    foreach command {newTask newJob newMutex newSemaphore newBuffer newServer newProcessor plot bufferplot} {
        trace alias $command $command
    }
    set in [open $file r]
    fconfigure $in -encoding utf-8
    set text [read $in]
    close $in
    trace eval $text
    foreach job [array names ::runs] {stop $job}
    forget
}

# ---- the picture

set letters 7.1 ;# width of one, at 13 pixels
set row_height 46
set box_height 22

proc xml {text} {
    string map {& &amp; < &lt; > &gt; \" &quot;} [regsub -all {[^ -~\u00A0-\uD7FF\uE000-\uFFFD]} $text ?]
}
proc x {time} {expr {round(10 * ($::left + ($time - $::t0) * $::scale)) / 10.0}}
proc put {line} {append ::svg $line \n}
proc seen {a b} {expr {$b >= $::t0 && $a <= $::t1}}
proc clip {time} {expr {min(max($time, $::t0), $::t1)}}

proc colour {text} {
    if {[regexp {^(#[0-9A-Fa-f]{6}|[a-z]{3,20})$} $text]} {return $text}
    return gray
}

# 1, 2 or 5 times a power of ten: about so many steps.
proc step {span count} {
    set power [expr {10.0 ** floor(log10($span / double($count)))}]
    foreach factor {1 2 5 10} {
        if {$span / ($factor * $power) <= $count} {return [expr {$factor * $power}]}
    }
}

proc number {value} {
    set text [format %.6f $value]
    regsub {\.?0+$} $text "" text
    return [expr {$text eq "" || $text eq "-0" ? 0 : $text}]
}

proc text {x y words {class ""} {anchor start}} {
    put "<text x=\"$x\" y=\"$y\" class=\"$class\" text-anchor=\"$anchor\">[xml $words]</text>"
}
proc line {x1 y1 x2 y2 class {more ""}} {
    put "<line x1=\"$x1\" y1=\"$y1\" x2=\"$x2\" y2=\"$y2\" class=\"$class\" $more/>"
}
proc rect {x y width height more} {
    put "<rect x=\"$x\" y=\"$y\" width=\"$width\" height=\"$height\" $more/>"
}

set palette {{#cfe3f7 #2f6ea5} {#d5edd3 #3f8a3c} {#fbe3c6 #b56d12} {#e6daf3 #7146a3} {#f9d9dd #ad3a4b} {#d3eeee #1d7f80} {#ece4d6 #7a6440} {#e3e7ea #54616b}}
proc tint {row which} {lindex $::palette [expr {$::index($row) % [llength $::palette]}] $which}

# Boxes so near to each other that the eye cannot part them are one: what is between them are
# interrupts, mostly.
proc merged {spans} {
    set out {}
    foreach span [lsort -real -index 1 $spans] {
        lassign $span row start end more
        set last [lindex $out end]
        if {$last ne "" && [lindex $last 3] eq $more && ($start - [lindex $last 2]) * $::scale < 0.8} {
            set out [lreplace $out end end [list $row [lindex $last 1] [expr {max($end, [lindex $last 2])}] $more]]
        } else {
            lappend out [list $row $start $end $more]
        }
    }
    return $out
}

proc of_row {list row} {lsearch -all -inline -exact -index 0 $list $row}

proc span_at {span} {
    lassign $span row start end
    set x1 [x [clip $start]]
    list $x1 [expr {max([x [clip $end]] - $x1, 0.6)}]
}

proc draw_style {} {
    put {<style>
text {font: 13px "DejaVu Sans", Verdana, Helvetica, sans-serif; fill: #24292f}
.title {font-size: 17px; font-weight: bold}
.small {font-size: 11px; fill: #57606a}
.name {font-weight: bold}
.core {font-size: 10px; fill: #24292f}
.grid {stroke: #e4e7eb; stroke-width: 1}
.base {stroke: #b6bdc5; stroke-width: 1}
.axis {stroke: #57606a; stroke-width: 1.2}
.arrow {stroke: #24292f; stroke-width: 1.4}
.preempt {stroke: #cf222e; stroke-width: 1; stroke-dasharray: 3 2}
.note {stroke: #9a6700; stroke-width: 1}
</style>}
    put "<defs>"
    foreach {id colour} {up #24292f by #cf222e} {
        put "<marker id=\"$id\" viewBox=\"0 0 8 8\" refX=\"6.5\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"$colour\"/></marker>"
    }
    put {<pattern id="hole" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#f0f1f3"/><line x1="0" y1="0" x2="0" y2="8" stroke="#c3c9d0" stroke-width="2"/></pattern>}
    foreach mutex $::mutexes {
        lassign $::look($mutex) colour pattern
        set turn [expr {$pattern eq "lines_down" ? -45 : 45}]
        put "<pattern id=\"$mutex\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate($turn)\"><line x1=\"1.2\" y1=\"0\" x2=\"1.2\" y2=\"6\" stroke=\"[colour $colour]\" stroke-width=\"2.2\"/></pattern>"
    }
    put "</defs>"
}

proc draw_axis {bottom} {
    set by [step [expr {$::t1 - $::t0}] [expr {max(2, int($::inner / 70))}]]
    set first [expr {ceil($::t0 / $by - 1e-9)}]
    for {set n $first} {$n * $by <= $::t1 + 1e-9} {set n [expr {$n + 1}]} {
        set at [x [expr {$n * $by}]]
        line $at $::top $at $bottom grid
        line $at $bottom $at [expr {$bottom + 5}] axis
        text $at [expr {$bottom + 19}] [number [expr {$n * $by}]] small middle
    }
    line $::left $bottom [expr {$::left + $::inner}] $bottom axis
    text [expr {$::left + $::inner}] [expr {$bottom + 35}] "time in ms" small end
}

proc draw_holes {bottom} {
    foreach span $::holes {
        lassign $span start end
        if {![seen $start $end]} continue
        lassign [span_at [list - $start $end]] x width
        rect $x $::top $width [expr {$bottom - $::top}] {fill="url(#hole)"}
        if {$width > 34} {text [expr {$x + $width / 2}] [expr {$::top + 12}] hole small middle}
    }
}

proc draw_name {row} {
    set y $::y($row)
    set has [expr {[info exists ::priority($row)] && $::priority($row) ne ""}]
    set two [expr {$has || ![info exists ::isr($row)]}]
    text [expr {$::left - 14}] [expr {$y - ($two ? 9 : 3)}] $::name($row) name end
    if {$has} {text [expr {$::left - 14}] [expr {$y + 5}] "priority $::priority($row)" small end}
}

proc draw_task {row} {
    set y $::y($row)
    set high [expr {$::isr($row) ? 14 : $::box_height}]
    line $::left $y [expr {$::left + $::inner}] $y base
    foreach span [merged [of_row $::bars $row]] {
        if {$::isr($row) || ![seen [lindex $span 1] [lindex $span 2]]} continue
        lassign [span_at $span] x width
        rect $x [expr {$y - 6}] $width 6 "fill=\"[tint $row 0]\""
    }
    foreach span [merged [of_row $::boxes $row]] {
        if {![seen [lindex $span 1] [lindex $span 2]]} continue
        lassign [span_at $span] x width
        set line [expr {$width > 3 ? 1.2 : 0.6}]
        rect $x [expr {$y - $high}] $width $high "fill=\"[tint $row [expr {$::isr($row) ? 1 : 0}]]\" stroke=\"[tint $row 1]\" stroke-width=\"$line\""
        set core [string map {core ""} [lindex $span 3]]
        if {$core ne "" && $width > 14 && !$::isr($row)} {text [expr {$x + $width / 2}] [expr {$y - 7}] $core core middle}
    }
    foreach span [of_row $::holdings $row] {draw_holding $span}
}

# Over its box where it runs, and as a thin bar where it holds on without.
proc draw_holding {holding} {
    lassign $holding row start end mutex
    if {![seen $start $end]} return
    set y $::y($row)
    lassign [span_at $holding] x width
    rect $x [expr {$y - 5}] $width 5 "fill=\"[colour [lindex $::look($mutex) 0]]\" fill-opacity=\"0.55\""
    foreach box [merged [of_row $::boxes $row]] {
        set a [expr {max($start, [lindex $box 1])}]
        set b [expr {min($end, [lindex $box 2])}]
        if {$a >= $b || ![seen $a $b]} continue
        lassign [span_at [list $row $a $b]] x width
        rect $x [expr {$y - $::box_height}] $width $::box_height "fill=\"url(#$mutex)\""
    }
}

proc draw_arrows {} {
    foreach event $::preemptions {
        lassign $event row target time
        if {![info exists ::y($row)] || ![info exists ::y($target)] || ![seen $time $time]} continue
        if {$::isr($row) || $::isr($target)} continue
        set down [expr {$::y($target) > $::y($row)}]
        set start [expr {$down ? $::y($row) : $::y($row) - $::box_height}]
        set end [expr {$down ? $::y($target) - $::box_height - 1 : $::y($target) + 1}]
        line [x $time] $start [x $time] $end preempt {marker-end="url(#by)"}
    }
    foreach event $::arrivals {
        lassign $event row time
        if {![info exists ::y($row)] || $::isr($row) || ![seen $time $time]} continue
        line [x $time] $::y($row) [x $time] [expr {$::y($row) - $::box_height - 10}] arrow {marker-end="url(#up)"}
    }
    foreach event $::ends {
        lassign $event row time
        if {![info exists ::y($row)] || $::isr($row) || ![seen $time $time]} continue
        put "<circle cx=\"[x $time]\" cy=\"$::y($row)\" r=\"3\" fill=\"[tint $row 1]\"/>"
    }
}

proc draw_buffer {row} {
    set most 1
    foreach level [of_row $::levels $row] {set most [expr {max($most, [lindex $level 2])}]}
    set points "$::left,$::y($row)"
    set last $::y($row)
    foreach level [of_row $::levels $row] {
        lassign $level - time count
        if {$time > $::t1} break
        set x [x [clip $time]]
        set y [expr {round(10 * ($::y($row) - 26.0 * $count / $most)) / 10.0}]
        append points " $x,$last $x,$y"
        set last $y
    }
    set right [expr {$::left + $::inner}]
    append points " $right,$last $right,$::y($row)"
    line $::left $::y($row) $right $::y($row) base
    put "<polygon points=\"$points\" fill=\"#e3e7ea\" stroke=\"#54616b\" stroke-width=\"1\"/>"
    text [expr {$::left - 14}] [expr {$::y($row) + 5}] "at most $most" small end
}

proc draw_notes {bottom} {
    set free 0
    foreach note $::notes {
        lassign $note time words
        if {![seen $time $time]} continue
        set x [x $time]
        put "<path d=\"M$x,[expr {$::top + 2}] l-4,-7 l8,0 z\" fill=\"#9a6700\"><title>[xml "[number $time] ms: $words"]</title></path>"
        if {$x < $free || [string length $words] > 24} continue
        text [expr {$x + 6}] [expr {$::top - 2}] $words small
        set free [expr {$x + 14 + 6.2 * [string length $words]}]
    }
}

proc draw_legend {y} {
    set x $::left
    set has [concat [expr {[llength $::boxes] ? "runs" : ""}] {ready arrives complete} [expr {[llength $::preemptions] ? "preempted" : ""}]]
    foreach what $has {
        switch $what {
            runs {rect $x [expr {$y - 11}] 22 13 {fill="#cfe3f7" stroke="#2f6ea5"}}
            ready {rect $x [expr {$y - 7}] 22 6 {fill="#cfe3f7"}}
            arrives {line [expr {$x + 11}] [expr {$y + 2}] [expr {$x + 11}] [expr {$y - 13}] arrow {marker-end="url(#up)"}}
            complete {put "<circle cx=\"[expr {$x + 11}]\" cy=\"[expr {$y - 4}]\" r=\"3\" fill=\"#2f6ea5\"/>"}
            preempted {line $x [expr {$y - 4}] [expr {$x + 21}] [expr {$y - 4}] preempt {marker-end="url(#by)"}}
        }
        set words [dict get {runs runs ready "ready or waiting" arrives "job arrives" complete "job complete" preempted "leaves the CPU to"} $what]
        text [expr {$x + 28}] $y $words small
        set x [expr {$x + 46 + 6.4 * [string length $words]}]
    }
    foreach mutex $::mutexes {
        set words "holds $::name($mutex)"
        rect $x [expr {$y - 11}] 22 13 "fill=\"#ffffff\" stroke=\"[colour [lindex $::look($mutex) 0]]\""
        rect $x [expr {$y - 11}] 22 13 "fill=\"url(#$mutex)\""
        text [expr {$x + 28}] $y $words small
        set x [expr {$x + 46 + 6.4 * [string length $words]}]
    }
}

proc place {} {
    set longest 8
    foreach row $::rows {set longest [expr {max($longest, [string length $::name($row)])}]}
    set ::left [expr {round(30 + min($longest, 32) * $::letters * 1.15)}]
    set ::inner [expr {$::width - $::left - 30}]
    set ::scale [expr {$::inner / double($::t1 - $::t0)}]
    set ::top [expr {$::title eq "" ? 26 : 56}]
    set y $::top
    set n 0
    foreach row $::rows {
        set ::index($row) $n
        incr n [expr {![info exists ::isr($row)] || !$::isr($row)}]
        if {[info exists ::isr($row)] && $::isr($row)} {set ::index($row) 7}
        set y [expr {$y + ([info exists ::isr($row)] && $::isr($row) ? 30 : $::row_height)}]
        set ::y($row) $y
    }
    return [expr {$y + 14}]
}

proc draw {} {
    set bottom [place]
    set height [expr {$bottom + 74}]
    put "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"$::width\" height=\"$height\" viewBox=\"0 0 $::width $height\">"
    draw_style
    rect 0 0 $::width $height {fill="#ffffff"}
    if {$::title ne ""} {text 24 28 $::title title}
    draw_holes $bottom
    draw_axis $bottom
    foreach row $::rows {
        draw_name $row
        if {[info exists ::isr($row)]} {draw_task $row} else {draw_buffer $row}
    }
    draw_arrows
    draw_notes $bottom
    draw_legend [expr {$bottom + 58}]
    put "</svg>"
}

# ---- the command line

proc usage {why} {
    puts stderr "grasp2svg: $why"
    puts stderr "usage: tclsh grasp2svg.tcl \[-from MS\] \[-to MS\] \[-width PIXELS\] \[-title TEXT\] \[-isr no\] TRACE \[SVG\]"
    exit 2
}

set options {-from "" -to "" -width 1200 -title "" -isr yes}
while {[string match -* [lindex $argv 0]] && [llength $argv] > 1} {
    set argv [lassign $argv option value]
    if {![dict exists $options $option]} {usage "there is no $option"}
    dict set options $option $value
}
if {[llength $argv] ni {1 2}} {usage "one trace is wanted"}
foreach option {-from -to -width} {
    set value [dict get $options $option]
    if {$value ne "" && ![string is double -strict $value]} {usage "$option: '$value' is no number"}
}
lassign $argv file output
if {[catch {evaluate $file} why]} {
    puts stderr "grasp2svg: $file: $why"
    exit 3
}
set t0 [expr {[dict get $options -from] eq "" ? ($from eq "-" ? 0 : $from) : [dict get $options -from]}]
set t1 [expr {[dict get $options -to] eq "" ? $now : [dict get $options -to]}]
if {$t1 <= $t0} {set t1 [expr {$t0 + 1}]}
set width [expr {max(400, [dict get $options -width])}]
set title [dict get $options -title]
if {![string is true -strict [dict get $options -isr]]} {
    set rows [lmap row $rows {expr {[info exists isr($row)] && $isr($row) ? [continue] : $row}}]
}
set svg ""
draw
set out [expr {$output eq "" ? "stdout" : [open $output w]}]
fconfigure $out -encoding utf-8
puts -nonewline $out $svg
if {$output ne ""} {close $out}
