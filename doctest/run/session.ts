import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, isRun } from '../blocks.ts'
import { JavaScript } from './javascript.ts'
import { Shell } from './shell.ts'

/** How a file in another language is run. */
const PROGRAMS: Record<string, { program: string; file: string }> = {
  python: { program: 'python3', file: 'block.py' },
  php: { program: 'php', file: 'block.php' },
  ruby: { program: 'ruby', file: 'block.rb' },
  go: { program: 'go run', file: 'block.go' },
}
const LANGUAGES = ['sh', 'js', ...Object.keys(PROGRAMS)]

/** The blocks of a page that run. */
export const runnable = (blocks: readonly Block[]) =>
  blocks.filter((block) => LANGUAGES.includes(block.language) && isRun(block))

/** The line that the service prints when it is ready. */
const RUNNING = 'Gatehouse is running.'

/** The page on which readers first meet `npx`. On all others its own start, of half a second each, is left out. */
const FIRST_PAGE = 'docs/start/README.md'
const withoutNpx = (script: string) => script.replaceAll('npx gatehouse', 'gatehouse')

/** Variables of the sandbox application that the first start has made. */
const VARIABLES = `
AID=$(gatehouse app list --env sandbox --json | node -p 'JSON.parse(fs.readFileSync(0))[0].aid')
PRIVATE_KEY=$(gatehouse app show $AID --reveal --json | node -p 'JSON.parse(fs.readFileSync(0)).keys[0].private_key')
export AID PRIVATE_KEY`

/** Runs the blocks of one page in a fresh installation. */
export class Session {
  readonly #folder: string
  readonly #shell: Shell
  readonly #placeholders = new Set(['AID'])
  #javascript: JavaScript | undefined

  constructor(folder: string) {
    this.#folder = folder
    rmSync(join(folder, 'data'), { recursive: true, force: true })
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(GATEHOUSE|VITEST)_?/.test(name),
    )
    // Pages for operators say `gatehouse`, which a production machine has on its PATH; others say `npx gatehouse`.
    const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
    this.#shell = new Shell(folder, { ...Object.fromEntries(inherited), PATH })
  }

  /** Starts the service, unless the page does that itself. */
  async prepare(blocks: readonly Block[]): Promise<void> {
    if (blocks.some(({ notes }) => notes['keeps running after'] !== undefined)) return
    await this.#start('gatehouse serve', RUNNING)
  }

  /** Runs a block; returns its output. */
  async run({ page, language, code, notes }: Block): Promise<string> {
    if (notes.setup !== undefined) await this.#setUp(notes.setup)
    const typed = this.#fill(code)
    const text = page === FIRST_PAGE ? typed : withoutNpx(typed)
    if (language === 'js') return await (await this.#node()).run(code)
    const other = PROGRAMS[language]
    if (other !== undefined) {
      writeFileSync(join(this.#folder, other.file), code)
      return await this.#shell.run(`${other.program} ${other.file}`)
    }
    const awaited = notes['keeps running after']
    if (awaited === undefined) return await this.#shell.run(text)
    await this.#start(text, awaited)
    return ''
  }

  async #start(command: string, awaited: string): Promise<void> {
    await this.#shell.start(command, awaited)
    if (awaited === RUNNING) await this.#shell.run(VARIABLES)
  }

  async #setUp(commands: string): Promise<void> {
    await this.#shell.run(withoutNpx(this.#fill(commands)))
    for (const [, name = ''] of commands.matchAll(/^([A-Z_]+)=/gm)) this.#placeholders.add(name)
  }

  /** Puts the values of variables in place of words in capitals that stand for them, such as AID. */
  #fill(code: string): string {
    const names = [...this.#placeholders].join('|')
    return code.replace(new RegExp(`(?<![$\\w{])(${names})(?![\\w=])`, 'g'), '"$$$1"')
  }

  /** Has the variables that the shell exports when the first block in JavaScript runs. */
  async #node(): Promise<JavaScript> {
    if (this.#javascript === undefined) {
      const env = JSON.parse(await this.#shell.run(`node -p 'JSON.stringify(process.env)'`))
      this.#javascript = new JavaScript(this.#folder, env)
    }
    return this.#javascript
  }

  async stop(): Promise<void> {
    await this.#javascript?.stop()
    await this.#shell.stop()
  }
}
