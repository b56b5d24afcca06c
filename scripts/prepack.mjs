// Runs before `npm pack`, in the folder of a package: builds it afresh, so that it holds nothing of earlier builds, and adds
// the license.
import { copyFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

process.env.GATEHOUSE_SOURCE_MAPS = 'off'
prepare({ packageFolder: relative(root, process.cwd()) })
copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE')
