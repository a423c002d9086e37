# SPDX-License-Identifier: MIT
"""Checks fleet/compose.yaml and what belongs to it. See fleet_compose.sh."""
import json
import os
import re
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree

import yaml

from clickhouse import free_ports

FLEET, WALLFLY = os.environ["SRC"] + "/fleet", os.environ["WALLFLY"]
VARIABLES = {"CLICKHOUSE_PASSWORD", "GRAFANA_PASSWORD"}


def text_of(name):
    with open(os.path.join(FLEET, name)) as f:
        return f.read()


def check_services(compose):
    services = compose["services"]
    assert set(services) == {"clickhouse", "setup", "mosquitto", "agent", "grafana"}
    for name, service in services.items():
        if "build" in service:
            context = os.path.join(FLEET, service["build"]["context"])
            assert os.path.isfile(os.path.join(context, service["build"]["dockerfile"])) and os.path.isfile(os.path.join(context, "CMakeLists.txt"))
        else:
            assert re.fullmatch(r"[a-z/-]+:\d+(\.\d+){2,3}", service["image"]), service["image"]
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose["volumes"] if source[0] != "." else os.path.exists(os.path.join(FLEET, source)), (name, volume)
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), (name, port)
        for other in service.get("depends_on", {}):
            assert other in services, (name, other)
    assert set(re.findall(r"\$\{(\w+)", text_of("compose.yaml"))) == VARIABLES
    return services


def check_commands(services):
    for name in "setup", "agent":
        command = services[name]["command"]
        known = subprocess.run([WALLFLY, "help", *command[:2]], check=True, capture_output=True, text=True).stdout
        for option in command[3:]:
            assert option.split("=")[0] + "=" in known, (name, option)


def check_broker():
    [port] = free_ports(1)
    conf = text_of("compose/mosquitto.conf")
    assert "listener 1883\n" in conf
    with open("mosquitto.conf", "w") as f:
        f.write(conf.replace("listener 1883\n", "listener %d 127.0.0.1\n" % port))
    broker = subprocess.Popen(["mosquitto", "-c", "mosquitto.conf"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for _ in range(6000):
            if broker.poll() is not None:
                sys.exit("mosquitto ends: " + broker.stdout.read())
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        subprocess.run(["mosquitto_pub", "-p", str(port), "-t", "wf/1/pilot/d/frames", "-q", "1", "-m", "x"], check=True)
    finally:
        broker.kill()
        broker.wait()


def check_grafana(services):
    [source] = yaml.safe_load(text_of("compose/grafana.yaml"))["datasources"]
    plugin, version = services["grafana"]["environment"]["GF_PLUGINS_PREINSTALL_SYNC"].split("@")
    needed = {row["id"]: row["version"] for row in json.loads(text_of("grafana/fleet.json"))["__requires"]}
    number = lambda text: [int(n) for n in text.lstrip(">=").split(".")]
    assert source["type"] == plugin and number(version) >= number(needed[plugin]), (source, version, needed)
    assert number(services["grafana"]["image"].split(":")[1]) >= number(needed["grafana"])
    [provider] = yaml.safe_load(text_of("compose/dashboards.yaml"))["providers"]
    assert "./grafana:%s:ro" % provider["options"]["path"] in services["grafana"]["volumes"]
    users = xml.etree.ElementTree.fromstring(text_of("compose/users.xml"))
    reader = users.find("users/" + source["jsonData"]["username"])
    assert reader.find("password").get("from_env") in services["clickhouse"]["environment"]
    assert users.find("profiles/%s/readonly" % reader.findtext("profile")).text == "1"
    project = "--project=" + source["jsonData"]["defaultDatabase"]
    assert reader.findtext("allow_databases/database") == source["jsonData"]["defaultDatabase"]
    assert project in services["setup"]["command"] and project in services["agent"]["command"]


# What wallfly is linked to, and loads: on the distribution of the Dockerfile their packages are known.
def check_dockerfile():
    text = text_of("compose/Dockerfile")
    [build, run] = re.findall(r"^FROM debian:(\d+)\.\d+-slim", text, re.M)
    assert build == run
    given = set(re.findall(r"\blib[a-z0-9.-]+", text.split("\nFROM")[-1]))
    with open("/etc/os-release") as f:
        here = re.search(r'^ID=debian$.*', f.read(), re.M) and open("/etc/debian_version").read().split(".")[0] == build
    if not here:
        print("this is not Debian %s: the packages of the Dockerfile are not compared" % build)
        return
    linked = subprocess.run(["ldd", WALLFLY], check=True, capture_output=True, text=True).stdout
    direct = re.findall(r"NEEDED\s+(\S+)", subprocess.run(["objdump", "-p", WALLFLY], check=True, capture_output=True, text=True).stdout)
    packages = set()
    for library in direct:
        path = os.path.realpath(re.search(r"^\s*%s => (\S+)" % re.escape(library), linked, re.M)[1])
        path = re.sub("^/usr", "*", path)  # dpkg knows some of them without /usr
        found = subprocess.run(["dpkg", "-S", path], check=True, capture_output=True, text=True).stdout
        packages.add(found.split(":")[0])
    always = {"libc6", "libstdc++6", "libgcc-s1", "zlib1g", "libelf1", "libcap2", "libasan8", "libubsan1"}  # of the image, of others, of sanitizers
    assert packages - always == given - {"libcurl4", "libmosquitto1"}, (packages, given)
    subprocess.run(["dpkg", "-s", "libcurl4", "libmosquitto1"], check=True, stdout=subprocess.DEVNULL)


found = check_services(yaml.safe_load(text_of("compose.yaml")))
check_commands(found)
check_broker()
check_grafana(found)
check_dockerfile()
