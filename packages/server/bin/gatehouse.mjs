#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Loading the program creates a lot of short-lived garbage. If the young generation can't grow for it, the service uses
// a quarter less memory for the rest of its life; the start takes some hundredths of a second longer.
if (process.argv[2] === 'serve') setFlagsFromString('--semi-space-growth-factor=1')

// In a clone the build may be missing or stale; an installed package has no sources to build from.
const prepare = new URL('../../../scripts/prepare.mjs', import.meta.url)
if (existsSync(fileURLToPath(prepare))) (await import(prepare)).prepare()

const { run } = await import('../dist/cli.js')
await run(process.argv)
