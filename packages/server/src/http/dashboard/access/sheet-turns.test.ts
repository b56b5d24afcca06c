import { describe, expect, it } from 'vitest'
import { takeSheetTurn } from './sheet-turns.ts'

describe('files of one application', () => {
  it('are read one after the other, and those of others meanwhile', async () => {
    const done: string[] = []
    const endFirst = await takeSheetTurn('one')
    const second = takeSheetTurn('one').then((end) => {
      done.push('second')
      end()
    })
    const endOther = await takeSheetTurn('other')
    done.push('other')
    endOther()
    done.push('first')
    endFirst()
    await second
    expect(done).toEqual(['other', 'first', 'second'])
  })

  it('are refused where one takes long, until it is done', async () => {
    const end = await takeSheetTurn('one')
    await expect(takeSheetTurn('one', 0)).rejects.toMatchObject({ code: 'import_running' })
    await expect(takeSheetTurn('one', 20)).rejects.toMatchObject({ code: 'import_running' })
    end()
    end()
    const next = await takeSheetTurn('one', 0)
    end()
    await expect(takeSheetTurn('one', 0)).rejects.toMatchObject({ code: 'import_running' })
    next()
  })
})
