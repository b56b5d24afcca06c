// Runs before `npm pack`: builds the package afresh, so that it holds nothing of earlier builds, and adds the license.
import { copyFileSync } from 'node:fs'
import { prepare } from './prepare.mjs'

process.env.GATEHOUSE_SOURCE_MAPS = 'off'
prepare({ isForPackage: true })
copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE')
