// Measures work on all data at once: import, export, deep check, backup and restore. Each runs once, as a command.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askHome, openEmptyHome, openHome, removeHome } from '../records/homes.mjs'
import { measureCommand } from './commands.mjs'

/** Readers whom the installation doesn't have, as a newspaper would bring them: in no order, some with tags and ends. */
export function writeReaders(path, rid, rows) {
  const lines = ['rid,email,user_ref,first_name,last_name,expires,tags']
  for (let i = 0; i < rows; i++) {
    const mixed = (i * 7_919) % rows
    const rest = `${i % 2 ? '' : 1_900_000_000 + i},${i % 3 ? '' : 'imported'}`
    lines.push(
      `${rid},reader-${mixed}@import.example,site-${mixed},First${i % 997},Last${i % 7_919},${rest}`,
    )
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

async function measureAll({ home, empty, folder, settings, say }) {
  const { aid } = home
  const [{ rid }] = await askHome(home, `select rid from resources where aid = '${aid}' limit 1`)
  const readers = writeReaders(join(folder, 'readers.csv'), rid, settings.imported)
  const [backup, exported] = ['backup', 'csv'].map((kind) => join(folder, `${home.name}.${kind}`))
  const steps = {
    import: [home, ['access', 'import', '--aid', aid, readers]],
    export: [home, ['access', 'export', '--aid', aid, '--out', exported]],
    'doctor --deep': [home, ['doctor', '--deep']],
    backup: [home, ['backup', backup]],
    restore: [empty, ['restore', backup]],
  }
  const results = []
  for (const [name, [place, args]] of Object.entries(steps)) {
    const used = await measureCommand(place, folder, args)
    say(`${name}: ${used.seconds.toFixed(1)} s, ${used.processor.toFixed(1)} s of a processor`)
    results.push({ name, ...used })
  }
  for (const path of [backup, exported]) rmSync(path, { force: true })
  return results
}

/** Measures bulk work on an installation of its own, which it changes. */
export async function measureBulk({ engine, server, folder, settings, say }) {
  const where = server ? { server } : {}
  const home = await openHome(engine, settings.bulk, { mark: 'bulk', ...where })
  const empty = await openEmptyHome(engine, 'restored', where)
  // A backup does not contain the key.
  copyFileSync(join(home.folder, 'master.key'), join(empty.folder, 'master.key'))
  try {
    const steps = await measureAll({ home, empty, folder, settings, say })
    return { records: settings.bulk, imported: settings.imported, steps }
  } finally {
    await removeHome(home)
    await removeHome(empty)
  }
}
