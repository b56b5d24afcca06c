import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { findViolations } from '../../db/invariants/invariants.ts'
import { describeFiles } from '../backups/files.ts'
import { dump } from '../backups/use-backup.ts'
import { inProcessCli, type Outcome, spawnedCli } from '../cli.ts'
import { listCommandLines } from '../commands/every-command.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { withContext } from '../installations.ts'
import { startProcess } from '../processes/process.ts'

const HOOK = fileURLToPath(new URL('./kill-at.mjs', import.meta.url))
const PRELOAD = `--import ${HOOK}`

/** Where a restore is killed: before or after a step, the one of this number of those with the same text. */
export interface KillPoint {
  when: 'before' | 'after'
  nth: number
  step: string
}

export interface Source {
  /** The settings of the installation that was backed up. */
  env: Record<string, string>
  backup: string
  context: Context
}

/** These don't use the databases here, or are about the restore itself. */
const EXEMPT = new Set(['serve', 'mcp', 'restore'])

const REFUSAL =
  /a restore of the backup of \S+ is under way here, or was interrupted; to go on with it: gatehouse restore \S+; to give it up: gatehouse restore --abandon/

/** Restores a backup into new installations, with kills. */
export class KilledRestores {
  readonly #database: TestDatabase
  readonly #source: Source
  #expected: Record<string, string[]> | undefined

  constructor(database: TestDatabase, source: Source) {
    this.#database = database
    this.#source = source
  }

  /** Creates an empty installation that has the files of the source, as before a restore. */
  async createTarget(): Promise<TestInstallation> {
    const { env, remove } = await this.#database.createEmpty()
    const to = env.GATEHOUSE_DATA as string
    cpSync(join(this.#source.context.config.dataFolder, 'files'), join(to, 'files'), {
      recursive: true,
    })
    return { env: { ...env, ...this.#source.env }, remove }
  }

  restore({ env }: TestInstallation, own: Record<string, string> = {}): Promise<Outcome> {
    return spawnedCli({ ...env, ...own }).run('restore', this.#source.backup)
  }

  /** Restores once without a kill; returns all steps, and remembers what a complete restore leads to. */
  async listSteps(): Promise<string[]> {
    const target = await this.createTarget()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-trace-'))
    const trace = join(folder, 'steps')
    try {
      // The program is built before it is watched.
      expect((await spawnedCli({}).run('--version')).code).toBe(0)
      const { code, stderr } = await this.restore(target, {
        NODE_OPTIONS: PRELOAD,
        KILL_TRACE: trace,
      })
      expect(code, stderr).toBe(0)
      this.#expected = await this.#contentsOf(target)
      return readFileSync(trace, 'utf8').trimEnd().split('\n')
    } finally {
      rmSync(folder, { recursive: true })
      await target.remove()
    }
  }

  /** Kills a restore. Returns its installation. */
  async kill(point: KillPoint): Promise<TestInstallation> {
    const target = await this.createTarget()
    const KILL_AT = `${point.when} ${point.nth} ${point.step}`
    const { stdout } = await this.restore(target, { NODE_OPTIONS: PRELOAD, KILL_AT })
    expect(stdout, `${KILL_AT} is not reached`).toBe('')
    return target
  }

  /** Requires that the restore, run again, leads to what it would have led to without a kill. */
  async requireRerun(target: TestInstallation): Promise<void> {
    const { code, stdout, stderr } = await this.restore(target)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^Restored \d+ rows of the backup of /)
    expect(await this.#contentsOf(target)).toEqual(this.#expected)
  }

  async #contentsOf(target: TestInstallation): Promise<Record<string, string[]>> {
    return await withContext(target, async (ctx) => {
      for (const name of ENVIRONMENTS) {
        const now = this.#source.context.environments[name].clock()
        expect(await findViolations(ctx.environments[name].database.read, now)).toEqual([])
      }
      expect((await ctx.gate.state()).hold).toMatchObject({ cause: 'restored' })
      const files = describeFiles(join(target.env.GATEHOUSE_DATA as string, 'files'))
      return { ...(await dump(ctx)), files }
    })
  }

  /** A restore that was killed before its first step has changed nothing; after its last, it is complete. */
  async requireUntouchedOrWhole(target: TestInstallation): Promise<void> {
    const again = await this.restore(target)
    if (again.code !== 0) expect(again.stderr).toContain('completely restored here before')
    expect(await this.#contentsOf(target)).toEqual(this.#expected)
  }

  /** Gives the restore up, and requires that only what was there before is left. */
  async requireAbandoned(target: TestInstallation): Promise<void> {
    const folder = target.env.GATEHOUSE_DATA as string
    const before = describeFiles(join(folder, 'files'))
    const cli = inProcessCli(target.env)
    expect((await cli.run('restore', '--abandon')).stderr).toMatch(/pass --yes to confirm\n$/)
    expect(await cli.json('restore', '--abandon', '--yes')).toMatchObject({ removed: true })
    expect(describeFiles(join(folder, 'files'))).toEqual(before)
    expect(existsSync(join(folder, 'restore-under-way.json'))).toBe(false)
    const again = await cli.run('restore', this.#source.backup)
    expect(again.code, again.stderr).toBe(0)
    expect(await this.#contentsOf(target)).toEqual(this.#expected)
  }
}

export const isMarked = async (target: TestInstallation): Promise<boolean> =>
  REFUSAL.test((await inProcessCli(target.env).run('doctor')).stdout)

/** Requires that every command refuses to work, with one line that says what to type. */
export async function requireRefusals({ env }: TestInstallation, file: string): Promise<void> {
  const cli = inProcessCli(env)
  // A move is for SQLite files; where there are none, it says so.
  const isPostgres = env.GATEHOUSE_DATABASE_URL !== undefined
  for (const line of listCommandLines(file)) {
    if (EXEMPT.has(line[0] as string) || (isPostgres && line[0] === 'move')) continue
    const { code, stdout, stderr } = await cli.run(...line)
    expect(code, line.join(' ')).toBe(1)
    if (line[0] === 'doctor') expect(stdout).toMatch(REFUSAL)
    else {
      expect(stderr, line.join(' ')).toMatch(REFUSAL)
      expect(stderr, line.join(' ')).toMatch(/^gatehouse: [^\n]*\n$/)
      expect(stdout, line.join(' ')).toBe('')
    }
  }
}

/** Requires that no service starts, with one worker and with two. */
export async function requireNoService({ env }: TestInstallation): Promise<void> {
  for (const workers of ['1', '2']) {
    const server = await startProcess({ env: { ...env, GATEHOUSE_WORKERS: workers } })
    const { code, stdout, stderr } = await server.ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(REFUSAL)
    expect(stderr).toMatch(/^gatehouse: [^\n]*\n$/)
  }
}
