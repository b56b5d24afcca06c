#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Loading a program makes much garbage at once. Where the space for what is new does not grow for it, the
// service takes a quarter less memory for the rest of its life, for some hundredths of a second at its start.
if (process.argv[2] === 'serve') setFlagsFromString('--semi-space-growth-factor=1')

// In a clone the build may be missing or stale; an installed package has no sources to build from.
const prepare = new URL('../../../scripts/prepare.mjs', import.meta.url)
if (existsSync(fileURLToPath(prepare))) (await import(prepare)).prepare()

const { run } = await import('../dist/doors/cli/cli.js')
await run(process.argv)
