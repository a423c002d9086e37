# SPDX-License-Identifier: MIT
# For ci.sh. check SRC OUTPUT...: the workflows are YAML and run the steps of steps.sh, each of them, in its order; what
# docs/ci.md prints are lines of the outputs (numbers may differ). serve FILE URL_FILE: GitLab's artifacts: project 7
# has the file, 8 has none, 9 is out of order.
import http.server, re, sys
from pathlib import Path

def step_lines(jobs):
    """The commands of a workflow."""
    for job in jobs:
        for step in job.get('steps', []):
            if 'run' in step: yield step['run']
        for part in 'before_script', 'script', 'after_script': yield from job.get(part, [])

def check_workflow(name, jobs, script):
    known = re.findall(r'^step_(\w+)\(\)', script, re.M)
    default, = re.findall(r'^\[ \$# -gt 0 \] \|\| set -- (.*)$', script, re.M)
    lines, ran = list(step_lines(jobs)), []
    for line in lines:
        found = re.fullmatch(r'sh docs/ci/steps\.sh((?: \w+)+)', line)
        assert found, f'{name}: {line!r} is not a line that runs steps'
        ran += found.group(1).split()
    assert ran == ['packages'] + default.split() and set(ran) == set(known), (name, ran, default)

def check_workflows(folder):
    import yaml
    script = (folder / 'steps.sh').read_text()
    github = yaml.safe_load((folder / 'github.yml').read_text())
    gitlab = yaml.safe_load((folder / 'gitlab.yml').read_text())
    assert github[True] == {'push': {'branches': ['main']}, 'pull_request': None} # `on` is true in YAML 1.1
    check_workflow('github.yml', github['jobs'].values(), script)
    check_workflow('gitlab.yml', [job for job in gitlab.values()], script)
    uploads = [s['with'] for s in github['jobs']['timing']['steps'] if s.get('uses', '').startswith('actions/upload-artifact@')]
    paths = ' '.join(u['path'] for u in uploads).split()
    for path in (*paths, *gitlab['timing']['artifacts']['paths']):
        found = list(Path('slow').glob(path.replace('ci-out/', '', 1)))
        assert path.startswith('ci-out/') and found, f'{path}: the steps do not write it'
    assert uploads[-1] == {'name': 'profile', 'path': 'ci-out/profile.wfs'}
    assert gitlab['timing']['artifacts']['reports'] == {'junit': 'ci-out/*.xml'}

def masked(line):
    return re.sub(r'\d+(\.\d+)?', 'N', line.strip())

def check_page(page, outputs):
    lines = {masked(line) for output in outputs for line in output.read_text().splitlines()}
    shown = [line for block in re.findall(r'^```text\n(.*?)^```$', page, re.M | re.S) for line in block.splitlines()]
    assert len(shown) > 10
    for line in shown:
        assert line == '...' or masked(line) in lines, f'docs/ci.md: {line!r} is not printed'

class Artifacts(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        project, = re.fullmatch(r'/projects/(\d+)/jobs/artifacts/main/raw/slow/profile\.wfs\?job=timing', self.path).groups()
        code = {'7': 200, '8': 404, '9': 500}[project] if self.headers['JOB-TOKEN'] == 'secret' else 401
        self.send_response(code)
        self.end_headers()
        self.wfile.write(self.server.data if code == 200 else b'not here')
    def log_message(self, *_): pass

def serve(data, url_file):
    server = http.server.HTTPServer(('127.0.0.1', 0), Artifacts)
    server.data = data
    url_file.write_text(f'http://127.0.0.1:{server.server_port}')
    server.serve_forever()

if sys.argv[1] == 'serve':
    serve(Path(sys.argv[2]).read_bytes(), Path(sys.argv[3]))
else:
    src = Path(sys.argv[2])
    check_workflows(src / 'docs/ci')
    check_page((src / 'docs/ci.md').read_text(), [Path(p) for p in sys.argv[3:]])
