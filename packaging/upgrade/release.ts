import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ServerProcess,
  startProcess,
} from '../../packages/server/src/testing/processes/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Earlier versions, and their commits: there are no tags of them. */
const COMMITS = { '0.1.0': '08ae3de5', '0.2.0': '5dd535a9' }
export type Version = keyof typeof COMMITS
export const VERSIONS = Object.keys(COMMITS) as Version[]

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** One version of Gatehouse, built in a clone. */
export interface Release {
  /** The folder of the clone. */
  folder: string
  serve(env: Record<string, string>): Promise<ServerProcess>
  run(env: Record<string, string>, ...args: string[]): Promise<Outcome>
  /** Returns what a command prints as JSON; throws if it fails. */
  json<T>(env: Record<string, string>, ...args: string[]): Promise<T>
}

function releaseIn(folder: string): Release {
  const program = join(folder, 'packages/server/bin/gatehouse.mjs')
  const run: Release['run'] = (own, ...args) => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
    const env = { ...Object.fromEntries(inherited), ...own }
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { cwd: '/', env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      )
    })
  }
  return {
    folder,
    run,
    serve: (env) => startProcess({ env, program }),
    async json(env, ...args) {
      const { code, stdout, stderr } = await run(env, ...args, '--json')
      if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} exited with ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}

/** The code of this clone. */
export const currentRelease = releaseIn(ROOT)

/** Builds an earlier release from its commit, with the packages of its own lock file. Later runs use the same build. */
export function buildRelease(version: Version): Release {
  const commit = COMMITS[version]
  const folder = join(ROOT, '.cache/releases', commit)
  if (!existsSync(folder)) {
    const making = `${folder}.making`
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making, { recursive: true })
    execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "$0"`, making], { cwd: ROOT })
    if (!existsSync(join(making, 'package.json'))) {
      throw new Error(`The clone has no commit ${commit}; run: git fetch --unshallow`)
    }
    execFileSync(process.execPath, ['scripts/prepare.mjs'], { cwd: making, stdio: 'pipe' })
    renameSync(making, folder)
  }
  return releaseIn(folder)
}
