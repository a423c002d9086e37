-- The script of the session qut-own2-7.2.session.txt, as it was for QUTest 7.4, in Lua.
function on_reset()
    expect_pause()
    continue_test()
    expect_run()
    note("reset done", TRACE)
end

function on_setup()
    expect("@timestamp MY_REC3 setup")
end

test("elements of all types")
command("CMD_ELEMS", 5, 0xABCD, 4000000000)
expect("@timestamp MY_REC2 * elem str *")
expect("@timestamp Trg-Done QS_RX_COMMAND")

test("pools, queues, time events")
glb_filter(GRP_MP, GRP_EQ, GRP_TE, GRP_QF, -0x1F)
command("CMD_POOL")
expect("@timestamp MP-Get *")
expect("@timestamp MP-GetA *")
expect("@timestamp MP-Put *")
expect("@timestamp Trg-Done QS_RX_COMMAND")
command("CMD_QUEUE")
for _, k in ipairs { "EQ-Post ", "EQ-LIFO", "EQ-PostA", "EQ-Get ", "EQ-GetL" } do
    expect("@timestamp " .. k .. "*")
end
expect("@timestamp Trg-Done QS_RX_COMMAND")
command("CMD_ARM", 10, 20, 30)
expect("@timestamp TE0-Arm *")
expect("@timestamp TE1-Rarm *")
expect("@timestamp TE0-Dis *")
expect("@timestamp TE0-DisA *")
expect("@timestamp Trg-Done QS_RX_COMMAND")
command("CMD_PUBLISH", 1, 2, 3)
while not last_rec():find("Trg%-Done QS_RX_COMMAND$") do
    expect("*")
end

test("current objects and queries")
for _, each in ipairs {
    { OBJ_EQ, "l_rawq" }, { OBJ_MP, "l_mp" }, { OBJ_AO, "l_gizmo" }, { OBJ_SM_AO, "l_gizmo" }, { OBJ_AP, "l_buf" },
} do
    current_obj(each[1], each[2])
end
query_curr(OBJ_EQ)
expect("@timestamp Query-EQ Obj=l_rawq,*")
query_curr(OBJ_MP)
expect("@timestamp Query-MP Obj=l_mp,*")
query_curr(OBJ_AO)
expect("@timestamp Query-AO Obj=l_gizmo,*")
query_curr(OBJ_AP)
expect("@timestamp Query-AP Obj=l_buf")
query_curr(OBJ_TE)
expect("           Trg-ERR  QS_RX_QUERY_CURR")
ao_filter("l_gizmo")

test("this one is meant to fail")
command("CMD_READ", 1)
expect("something that will not come")

skip(1)
test("skipped")
command("CMD_READ", 1)
