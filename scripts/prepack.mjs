// Runs before `npm pack`, in the folder of a package: builds it afresh, so that it holds nothing of earlier builds, and adds
// the license, and to the server the changelog and the files that its operators install.
import { copyFileSync, cpSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyChangelog } from './guides.mjs'
import { prepare } from './prepare.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

process.env.GATEHOUSE_SOURCE_MAPS = 'off'
const packageFolder = relative(root, process.cwd())
prepare({ packageFolder })
copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE')
if (packageFolder === 'packages/server') {
  copyChangelog(root, process.cwd())
  cpSync(new URL('../deploy', import.meta.url), 'deploy', { recursive: true })
}
