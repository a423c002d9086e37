// SPDX-License-Identifier: MIT
// Renders diagrams with Mermaid in Chromium, and prints what is in the pictures: a line of JSON for
// each file. Anything that Mermaid throws is an error. Usage: node render.mjs FOLDER FILE...
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const [folder, ...files] = process.argv.slice(2);
const {chromium} = createRequire(folder + '/').call(null, 'playwright-core');
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const page = await browser.newPage();
await page.setContent('<!DOCTYPE html><meta charset="utf-8"><body></body>');
await page.addScriptTag({path: folder + '/node_modules/mermaid/dist/mermaid.min.js'});
let failed = false;
for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const got = await page.evaluate(async (source) => {
        try {
            mermaid.initialize({startOnLoad: false});
            await mermaid.parse(source);
            const {svg} = await mermaid.render('diagram', source);
            document.body.innerHTML = svg;
            const all = (what) => [...document.querySelectorAll(what)].map((node) => node.textContent);
            return {svg, actors: all('text.actor-box'), messages: all('text.messageText'),
                    notes: [...document.querySelectorAll('g > text.noteText')].map((node) => node.textContent)};
        } catch (error) {
            return {error: String(error)};
        }
    }, text);
    if (got.error) failed = true;
    if (got.svg) writeFileSync(file + '.svg', got.svg);
    delete got.svg;
    console.log(JSON.stringify({file, ...got}));
}
await browser.close();
process.exit(failed ? 1 : 0);
