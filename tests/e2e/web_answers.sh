# The answers of the timeline's server equal the output of the other commands for the same trace: QP, an RTOS, every
# kind of record, logs of QNX, losses, names of any kind.
"$PHILOSOPHERS" --fast -s 20 -o philosophers.bin
"$PHILOSOPHERS" --fast -s 20 --stall=200 --ring=1024 -o stalled.bin
for demo in mutex preemptive round-robin; do "$BUILD"/bin/kernel -o "$demo.bin" "$demo"; done
"$BUILD"/bin/records_frames every.bin all
for kind in rtos qp; do python3 "$SRC/tests/web/hostile.py" "$WALLFLY" 1 "$kind" "hostile-$kind.bin"; done
for seed in 2 5; do python3 "$SRC/tests/kev/generate.py" "$seed" "log$seed.kev" >expected; done
for seed in 1 4; do python3 "$SRC/tests/kev/threads.py" make "$seed" "threads$seed.kev"; done
python3 "$SRC/tests/kev/threads.py" make 3 holes.kev lost
for file in *.bin *.kev; do
    timeout 1500 python3 "$SRC/tests/web/answers.py" "$WALLFLY" "$file"
done
