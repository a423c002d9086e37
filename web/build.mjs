// SPDX-License-Identifier: MIT
// Builds the page: node build.mjs OUT. The result is kept in web/bundle, so that wallfly builds
// without Node; the test web_bundle builds it again and compares.
import { build } from 'esbuild'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2]
if (!out) {
  console.error('usage: node build.mjs OUT')
  process.exit(2)
}
await mkdir(out, { recursive: true })
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { page: 'src/main.tsx' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome109', 'firefox115', 'safari16'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none', // page.html and LICENSES have them
  metafile: true,
  logLevel: 'warning'
})
// The licences of the other packages in the page.
const packages = Object.keys(metafile.inputs).map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
const licences = [...new Set(packages)].filter(Boolean).sort().map(async (name) => {
  const folder = join(here, 'node_modules', name)
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file))
  if (!file) throw new Error(`${name} has no licence`)
  return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
})
const notices = await Promise.all(licences)
await writeFile(join(out, 'LICENSES'), notices.join('\n----\n\n'))

// The same and wallfly's own licence as a comment in the page; help.tsx shows it.
const own = `wallfly\n\n${(await readFile(join(here, 'LICENSE'), 'utf8')).trim()}\n`
const comment = ['This page contains:\n', own, ...notices].join('\n')
if (comment.includes('--')) throw new Error('a licence cannot stand in a comment')
const page = (await readFile(join(here, 'src/page.html'), 'utf8')).split('<!-- NOTICES -->')
if (page.length !== 2) throw new Error('page.html has no place for the notices')
await writeFile(join(out, 'page.html'), page.join(`<!--\n${comment}-->`))
