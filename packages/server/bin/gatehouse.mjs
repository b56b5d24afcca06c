#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// In a clone the build may be missing or stale; an installed package has no sources to build from.
const prepare = new URL('../../../scripts/prepare.mjs', import.meta.url)
if (existsSync(fileURLToPath(prepare))) (await import(prepare)).prepare()

const { run } = await import('../dist/doors/cli/cli.js')
await run(process.argv)
