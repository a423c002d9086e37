// SPDX-License-Identifier: MIT
// Makes the page: node build.mjs OUT. What it makes is in web/bundle, so that wallfly builds without
// Node; the test web_bundle makes it again and compares.
import { build } from 'esbuild'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2]
if (!out) {
  console.error('usage: node build.mjs OUT')
  process.exit(2)
}
await mkdir(out, { recursive: true })
await build({
  absWorkingDir: here,
  entryPoints: { page: 'src/main.tsx' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome109', 'firefox115', 'safari16'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none', // web/bundle/LICENSES has them
  logLevel: 'warning'
})
await copyFile(join(here, 'src/page.html'), join(out, 'page.html'))
