# SPDX-License-Identifier: MIT
# Evaluates a Grasp trace as a player does, with commands that write down what they are told, and
# checks what players rely on: everything is declared before it is used, identifiers are unique and
# no commands, time does not go back, jobs live as they can, mutexes are given by who holds them,
# the last one first.
#
#   tclsh grasp_recorder.tcl TRACE    each event as a line of words between tabs: TIME EVENT
#                                     ARGUMENT...; the last line has the names of identifiers
#
# It evaluates in this very interpreter, which can do anything, on purpose: a name that is code would
# be run.

set now 0
set faults {}
set events {}
set holes 0
array set kind {}   ;# of each identifier: task, job, mutex, semaphore, buffer, processor
array set name {}
array set task {}   ;# of a job
array set state {}  ;# of a job: new, running, preempted, completed
array set held {}   ;# mutexes of a job, in the order of their taking
array set holder {} ;# of a mutex
array set since {}  ;# hole count when it was taken
array set entries {} ;# of a buffer
array set room {}
set commands [info commands]

proc fault {text} {
    global faults now
    lappend faults "at $now: $text"
}

proc note {args} {
    global events
    lappend events $args
}

proc need {what id} {
    global kind
    if {![info exists kind($id)]} {
        fault "$what $id is not declared"
    } elseif {$kind($id) ne $what} {
        fault "$id is a $kind($id), not a $what"
    }
}

proc declare {what id options} {
    global kind name commands
    if {[info exists kind($id)]} {fault "$id is declared twice"}
    if {![regexp {^[A-Za-z0-9_.]+$} $id]} {fault "$id is no identifier"}
    if {$id in $commands} {fault "$id is a command"}
    if {[llength $options] % 2} {fault "$id has an option without its value"}
    set kind($id) $what
    set name($id) $id
    foreach {option value} $options {
        if {![regexp {^-[a-zA-Z]+$} $option]} {fault "$id: $option is no option"}
        if {$option eq "-name"} {set name($id) $value}
    }
    if {$what ne "job"} {note 0 new $what $id $name($id)}
}

proc newTask {id args} {
    foreach {option value} $args {
        if {$option ni {-priority -name -kind -color}} {fault "newTask has no option $option"}
    }
    declare task $id $args
}
proc newMutex {id args} {declare mutex $id $args}
proc newSemaphore {id args} {declare semaphore $id $args}
proc newServer {id args} {declare server $id $args}
proc newProcessor {id args} {declare processor $id $args}
proc newBuffer {id args} {
    global entries room
    declare buffer $id $args
    set entries($id) {}
    set room($id) 0
}
proc newJob {job of args} {
    global task state held
    need task $of
    declare job $job $args
    set task($job) $of
    set state($job) new
    set held($job) {}
}

proc clock_is {time} {
    global now
    if {![string is double -strict $time]} {fault "$time is no time"}
    if {$time < $now} {fault "time goes back to $time"}
    set now $time
}

# The job's state was one of those, and is another now.
proc becomes {job from to} {
    global state
    need job $job
    if {![info exists state($job)]} return
    if {$state($job) ni $from} {fault "$job becomes $to, but is $state($job)"}
    set state($job) $to
}

proc only {what options allowed} {
    if {[llength $options] % 2} {fault "$what has an option without its value"}
    foreach {option value} $options {
        if {$option ni $allowed} {fault "$what has no option $option"}
        if {$option eq "-processor"} {need processor $value}
        if {$option eq "-target"} {need job $value}
    }
}

# Only one job runs on a processor; without processors there is one.
proc on_processor {job options to} {
    global running
    set at -
    if {[dict exists $options -processor]} {set at [dict get $options -processor]}
    if {$to eq "running"} {
        if {[info exists running($at)]} {fault "$job runs on $at beside $running($at)"}
        set running($at) $job
    } elseif {[info exists running($at)] && $running($at) eq $job} {
        unset running($at)
    }
}

proc plot {time what args} {
    clock_is $time
    if {[llength [info commands plot_$what]] == 0} {
        fault "plot has no $what"
    } else {
        plot_$what $time {*}$args
    }
}

proc plot_jobArrived {time job of args} {
    global task
    only jobArrived $args {-name}
    newJob $job $of {*}$args
    note $time jobArrived $job $of
}
proc plot_jobResumed {time job args} {
    only jobResumed $args {-processor}
    becomes $job {new preempted} running
    on_processor $job $args running
    note $time jobResumed $job $args
}
proc plot_jobPreempted {time job args} {
    only jobPreempted $args {-processor -target}
    becomes $job running preempted
    on_processor $job $args preempted
    note $time jobPreempted $job $args
}
proc plot_jobCompleted {time job args} {
    global held
    only jobCompleted $args {-processor}
    becomes $job {running preempted} completed
    on_processor $job $args completed
    if {[info exists held($job)] && $held($job) ne {}} {note $time endedHolding $job $held($job)}
    note $time jobCompleted $job $args
}
proc plot_jobAcquiredMutex {time job mutex} {
    global held holder holes since
    need job $job
    need mutex $mutex
    if {[info exists holder($mutex)] && $since($mutex) == $holes} {
        fault "$job takes $mutex, which $holder($mutex) has"
    }
    set holder($mutex) $job
    set since($mutex) $holes
    lappend held($job) $mutex
    note $time jobAcquiredMutex $job $mutex
}
proc plot_jobReleasedMutex {time job mutex} {
    global held holder
    need job $job
    need mutex $mutex
    if {![info exists holder($mutex)] || $holder($mutex) ne $job} {
        fault "$job gives $mutex, which it does not have"
    } else {
        if {[lindex $held($job) end] ne $mutex} {note $time notTheLast $job $mutex}
        set held($job) [lsearch -all -inline -not -exact $held($job) $mutex]
        unset holder($mutex)
    }
    note $time jobReleasedMutex $job $mutex
}
foreach what {AcquiredSemaphore SuspendedOnSemaphore ReleasedSemaphore} {
    proc plot_job$what {time job semaphore args} [string map [list WHAT job$what] {
        only WHAT $args {-state}
        need job $job
        need semaphore $semaphore
        note $time WHAT $job $semaphore $args
    }]
}
proc plot_message {time text args} {
    global holes
    only message $args {-color}
    if {[string match "hole begins:*" $text]} {incr holes}
    note $time message $text
}

proc bufferplot {time what buffer args} {
    global entries room
    clock_is $time
    need buffer $buffer
    switch $what {
        resize {set room($buffer) [lindex $args 0]}
        push {
            lappend entries($buffer) [lindex $args 0]
            if {$room($buffer) && [llength $entries($buffer)] > $room($buffer)} {fault "$buffer is over full"}
        }
        pop {
            if {$entries($buffer) eq {}} {fault "$buffer is empty"}
            set entries($buffer) [lrange $entries($buffer) 1 end]
        }
        drop {
            set at [lindex $args 0]
            if {$at >= [llength $entries($buffer)]} {fault "$buffer has no entry $at"}
            set entries($buffer) [lreplace $entries($buffer) $at $at]
        }
        default {fault "bufferplot has no $what"}
    }
    note $time $what $buffer {*}$args
}

# ASCII only: a player may read it in any encoding.
set file [open [lindex $argv 0] rb]
if {[regexp {[^\n -~]} [read $file]]} {fault "a byte that is no ASCII"}
close $file

source [lindex $argv 0]

fconfigure stdout -encoding utf-8 -translation lf
proc show {words} {
    set shown {}
    foreach word $words {lappend shown [string map {\\ \\\\ \n \\n \t \\t \r \\r} $word]}
    puts [join $shown \t]
}
foreach event $events {show $event}
show [list names {*}[array get name]]
if {$faults ne {}} {
    puts stderr [join [lrange $faults 0 19] "\n"]
    exit 1
}
