import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandName } from './command-name.ts'

describe('the command that a start names', () => {
  let root: string
  /** The program of an installation by npm, whose folder is `site`. */
  let program: string
  const linked = () => join(root, 'site/node_modules/.bin/gatehouse')

  function write(path: string, text: string): string {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-command-')))
    program = write(join(root, 'site/node_modules/@gatehouse/server/bin/gatehouse.mjs'), '')
    mkdirSync(dirname(linked()))
    symlinkSync(program, linked())
    mkdirSync(join(root, 'bin'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const name = (more: object = {}) =>
    commandName({ program, path: join(root, 'bin'), folder: join(root, 'site'), ...more })

  it('is that of npx in a clone, which is where these tests run', () => {
    expect(commandName()).toBe('npx gatehouse')
  })

  it('is that of the folder where npm has installed the package', () => {
    expect(name()).toBe('node_modules/.bin/gatehouse')
    expect(name({ path: dirname(linked()) })).toBe('node_modules/.bin/gatehouse')
  })

  it('has its whole path if the service was started elsewhere', () => {
    expect(name({ folder: join(root, 'bin') })).toBe(linked())
  })

  it('is the program if npm has made no command for it', () => {
    rmSync(linked())
    expect(name()).toBe(`node ${program}`)
  })

  it('is gatehouse where the wrapper of the systemd unit is installed', () => {
    const wrapper =
      'program=/opt/gatehouse/current/node_modules/@gatehouse/server/bin/gatehouse.mjs\n'
    write(join(root, 'bin/gatehouse'), wrapper)
    expect(name()).toBe('gatehouse')
  })

  it('is that of npx in a clone on a machine where a wrapper runs an installation', () => {
    write(
      join(root, 'bin/gatehouse'),
      'program=/opt/node_modules/@gatehouse/server/bin/gatehouse.mjs\n',
    )
    const clone = write(join(root, 'clone/packages/server/bin/gatehouse.mjs'), '')
    expect(name({ program: clone, folder: join(root, 'clone') })).toBe('npx gatehouse')
  })

  it('is gatehouse where the path leads to the program, as in a container', () => {
    symlinkSync(program, join(root, 'bin/gatehouse'))
    expect(name()).toBe('gatehouse')
  })

  it('is never the command of another package', () => {
    write(join(root, 'bin/gatehouse'), '#!/bin/sh\necho something else\n')
    expect(name()).toBe('node_modules/.bin/gatehouse')
  })
})
