import type { Command } from 'commander'
import { type Config, environmentVariables, readConfig } from '../../config/config.ts'
import { type Context, createContext } from '../../context.ts'
import type { Databases } from '../../domain/backup/databases.ts'
import { countRows, type Digests } from '../../domain/move/digest.ts'
import { moveAll, type OnProgress } from '../../domain/move/move.ts'
import { isMarkedAsMoved } from '../../domain/move/moved-marker.ts'
import { resumeMove, undoMove } from '../../domain/move/resume-move.ts'
import { openMovedFiles } from '../../domain/move/source.ts'
import { openTarget, type Target } from '../../domain/move/target.ts'
import { OperatorError } from '../../errors.ts'
import { recordCommand, withOsUser } from '../audit/audited-command.ts'
import { requireInstallation } from '../context.ts'
import { type Output, print } from '../output.ts'
import { progressBar } from '../progress.ts'

interface Options extends Output {
  to?: string
  verify?: boolean
  undo?: boolean
}

export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description(
      'move an installation from SQLite to PostgreSQL and verify it; the service can keep running',
    )
    .option(
      '--to <address>',
      'URL of an empty database, like postgres://user:password@host/name (or GATEHOUSE_MOVE_TO)',
    )
    .option('--verify', 'compare a moved installation with the SQLite files')
    .option('--undo', 'return to SQLite, if nothing was changed in PostgreSQL')
    .action(move)
}

async function move(options: Options): Promise<void> {
  const config = readSettings(options)
  requireInstallation({ ...config, databaseUrl: undefined })
  const isMoved = isMarkedAsMoved(config.dataFolder)
  if (!isMoved) requireUnmoved(config, options)
  const to = config.moveTo ?? (isMoved ? config.databaseUrl : undefined)
  if (to === undefined) {
    throw new OperatorError(
      'no target: pass --to postgres://user:password@host/name, or set GATEHOUSE_MOVE_TO',
    )
  }
  const target = await openTarget(to)
  try {
    if (isMoved) await inspectMove(config, target, options)
    else await runMove(config, target, withoutCredentials(to), options)
  } finally {
    await target.close()
  }
}

/** Validates `--to` like its environment variable. It may contain a password and must never be printed. */
function readSettings({ to }: Options): Config {
  const env = environmentVariables(process.cwd())
  if (to === undefined) return readConfig(env)
  try {
    return readConfig({ ...env, GATEHOUSE_MOVE_TO: to.trim() || '?' })
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(error.message.replaceAll('GATEHOUSE_MOVE_TO', '--to'))
  }
}

function requireUnmoved({ databaseUrl, dataFolder }: Config, { undo, verify }: Options): void {
  if (databaseUrl !== undefined) {
    throw new OperatorError(
      'this installation already uses PostgreSQL (GATEHOUSE_DATABASE_URL is set); ' +
        'only an installation on SQLite can be moved',
    )
  }
  if (undo || verify) throw new OperatorError(`the installation in ${dataFolder} was not moved yet`)
}

/** Removes the credentials from a database URL. */
function withoutCredentials(address: string): string {
  const { host, pathname, searchParams } = new URL(address)
  return `postgres://${host || searchParams.get('host')}${pathname}`
}

function databasesOf({ control, environments }: Context): Databases {
  const { production, sandbox } = environments
  return { production: production.database, sandbox: sandbox.database, control }
}

const VERBS = { copied: 'copied', verified: 'read back' }

/** Draws a progress bar for each phase. */
function createProgress(total: number): { onProgress: OnProgress; end(): void } {
  const done = { copied: 0, verified: 0 }
  const draw = (phase: keyof typeof VERBS) =>
    progressBar(total, (rows) => `${rows} of ${total} rows ${VERBS[phase]}`)
  const bars = { copied: draw('copied'), verified: draw('verified') }
  return {
    onProgress(phase, rows) {
      done[phase] += rows
      bars[phase].show(done[phase])
    },
    end: () => bars.verified.end(),
  }
}

const sum = (digests: Digests) =>
  Object.values(digests).reduce((total, { rows }) => total + rows, 0)

async function runMove(config: Config, target: Target, place: string, options: Output) {
  const { dataFolder: folder } = config
  const ctx = await createContext(config)
  try {
    // Before the copy, which takes it along: afterwards, the old database takes no entry any more.
    await recordCommand(withOsUser(ctx), 'installation.move', { to: place })
    const source = databasesOf(ctx)
    const { onProgress, end } = createProgress(await countRows(source))
    const note =
      `The data in these SQLite files was moved to ${place} at ${new Date().toISOString()}.\n` +
      'The files are no longer read or written.\n' +
      'Set GATEHOUSE_DATABASE_URL. If nothing was changed there yet, you can undo the move with: ' +
      'gatehouse move --undo\n'
    const tables = await moveAll({ source, target, folder, note, onProgress }).finally(end)
    print(options, { moved: true, to: place, tables }, () =>
      [`Moved ${sum(tables)} rows to ${place}; all were read back and compared.`, next(ctx)].join(
        '\n',
      ),
    )
  } finally {
    await ctx.close()
  }
}

function next({ config: { dataFolder }, masterKey }: Context): string {
  return [
    `The SQLite files in ${dataFolder} are no longer used. Next:`,
    '1. Set GATEHOUSE_DATABASE_URL to the URL that you passed to this command.',
    '2. Restart the service. Keep GATEHOUSE_DATA: the downloadable files are still there, ' +
      `and the master key is still ${masterKey.origin}.`,
    '3. Check: gatehouse doctor --deep',
    '4. Keep the .sqlite files as a backup of this moment.',
  ].join('\n')
}

/** Undoes, verifies or finishes the move of an installation that is marked as moved. */
async function inspectMove({ dataFolder: folder }: Config, target: Target, options: Options) {
  const source = openMovedFiles(folder)
  try {
    const { onProgress, end } = createProgress(await countRows(source))
    const plan = { source, target, folder, onProgress }
    if (options.undo) {
      await undoMove(plan).finally(end)
      print(options, { moved: false }, () => `The SQLite files in ${folder} are in use again.`)
      return
    }
    const { verified, different } = await resumeMove(plan, options.verify === true).finally(end)
    print(options, { moved: true, tables: verified, different }, () => verdict(verified, different))
    if (different.length > 0) process.exitCode = 1
  } finally {
    await source.close()
  }
}

function verdict(verified: Digests | undefined, different: readonly string[]): string {
  if (verified === undefined) return 'This installation was already moved there.'
  if (different.length === 0) {
    return `This installation was moved there. All ${sum(verified)} rows were read back and are the same.`
  }
  return `Changed since the move (as happens once the service runs): ${different.join(', ')}`
}
