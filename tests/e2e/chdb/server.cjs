// SPDX-License-Identifier: MIT
// The newest ClickHouse (chdb: the engine in this process) behind what a loader needs of its HTTP interface: a statement
// as the body, or in the URL with data in format Native as the body; settings in the URL. One statement at a time.
// Usage: server.cjs FOLDER PORT
const fs = require('fs')
const http = require('http')
const { Session } = require('chdb')

const [folder, port] = process.argv.slice(2)
const session = new Session(`${folder}/data`)

// An INSERT of data becomes one of a file.
function run(url, body) {
  const settings = [...url.searchParams].filter(([name]) => name !== 'query').map(([name, value]) => `${name} = '${value}'`)
  const sql = url.searchParams.get('query')
  const insert = /^(INSERT INTO \S+) FORMAT Native$/.exec(sql ?? '')
  if (insert) fs.writeFileSync(`${folder}/body`, body)
  const binary = /^(SELECT .*) FORMAT RowBinary$/.exec(sql ?? body.toString())
  if (binary) { // an answer of the engine is text
    fs.rmSync(`${folder}/answer`, { force: true })
    session.query(`INSERT INTO FUNCTION file('${folder}/answer', RowBinary) ${binary[1]}`, 'TabSeparated')
    return fs.existsSync(`${folder}/answer`) ? fs.readFileSync(`${folder}/answer`) : ''
  }
  const statement = insert ? `${insert[1]} SELECT * FROM file('${folder}/body', Native)` : sql ?? body.toString()
  return session.query(statement + (settings.length ? ` SETTINGS ${settings.join(', ')}` : ''), 'TabSeparated')
}

http.createServer((request, answer) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const url = new URL(request.url, 'http://localhost')
    let status = 200, text = 'Ok.\n'
    try {
      if (request.method === 'POST') text = run(url, Buffer.concat(parts))
    } catch (error) {
      status = 500
      text = `${error.message}\n`
    }
    answer.writeHead(status, { 'Content-Length': Buffer.byteLength(text) })
    answer.end(text)
  })
}).listen(+port, '127.0.0.1')
