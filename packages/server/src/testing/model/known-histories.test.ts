import { afterAll, beforeAll, describe, it } from 'vitest'
import { databases } from '../databases.ts'
import { replay } from './replay.ts'
import { LocalSystem } from './systems/local-system.ts'

/** Histories that once failed, by the rule that they broke: found at random and shrunk, or written after a defect was
 * understood. */
const HISTORIES: Readonly<Record<string, string>> = {
  'a link names an erased user by the uid': `
    p1: grant email=bob@example.com
    erase who=@p1
    t2: buy price=abo ref=@p1 email=cid@example.com
  `,
  'the uid of a merged user goes on to name the one who is left': `
    p1: grant email=dot@example.com
    p2: grant email=Ann@Example.com
    merge from=@p2 into=@p1
  `,
  'a user who has only aliases is still named by the uid': `
    t1: buy price=abo ref=Ann typed=ann@example.com pay=good
    t2: buy price=month email=bob@example.com pay=good
    merge from=@t1 into=@t2
  `,
  'the address of a merged person names the one who is left, also with the old reference': `
    p1: grant email=ann@example.com ref=ann
    p2: grant email=bob@example.com ref=bob
    merge from=@p1 into=@p2
    p3: grant rid=r2 email=Ann@Example.com ref=ann
    t4: buy price=week email=ann@example.com pay=good
    t5: buy price=month typed=ann@example.com pay=good
    look who=@p2
    p6: grant email=cid@example.com
    merge from=@p2 into=@p6
    p7: grant rid=r1 email=ann@example.com ref=bob
    look who=@p6
    p8: grant email=dot@example.com
    set-email who=@p8 email=ann@example.com
    p9: grant rid=r2 email=ann@example.com
    look who=@p6
    erase who=@p6
    p10: grant rid=r2 email=bob@example.com
  `,
  'webhooks of merges, one upon the other, arrive in another order': `
    t1: buy price=week email=dot@example.com
    pay tab=t1
    p6: grant email=dot@example.com
    p8: grant rid=r2 email=cid@example.com
    p10: grant email=ann@example.com
    p12: grant email=cid@example.com ref=bob
    advance seconds=3600
    merge from=@p12 into=@p6
    merge from=@p6 into=@p10
    p15: grant email=dot@example.com
  `,
  'staff find a record of a resource that a pass opens, too': `
    t2: buy price=month typed=ann@example.com pay=good
    p3: grant rid=r3 email=Ann@Example.com ref=Ann
    refund tab=t2
    open rid=r3 what=nested
    revoke ref=Ann via=dashboard
  `,
  'a checkout ends with the person who is erased': `
    t1: buy price=month ref=cid typed=ann@example.com pay=good
    t2: buy price=abo ref=cid typed=ann@example.com
    erase who=@t1
    pay tab=t2
    return tab=t2
  `,
  'money that came before an erasure is paid back, however late it is found': `
    t5: buy price=week typed=dot@example.com
    pay tab=t5
    events how=lost
    t14: buy again=t5 pay=good
    erase who=@t14
    advance seconds=3456000
  `,
  'a payment that takes weeks is paid back if its payer was erased meanwhile': `
    p4: grant email=dot@example.com
    t7: buy price=once email=dot@example.com
    p8: grant email=dot@example.com
    pay tab=t7 card=slow
    advance seconds=3456000
    erase who=@p8
    finish tab=t7 paid=yes
  `,
  'a backup is opened by the master key of its time': `
    b1: backup
    rotate-master
    restore backup=b1
    p2: grant email=ann@example.com
  `,
  'a purchase by uid goes to the reader who got a reference meanwhile': `
    p5: grant email=cid@example.com
    set-email who=@p5 email=dot@example.com
    t15: buy price=once ref=@p5 typed=ann@example.com pay=slow
    t17: buy price=month ref=ann email=dot@example.com pay=needs_payer_later
    p18: grant email=ann@example.com
    finish tab=t15 paid=yes
    events
  `,
  'the address of an erased person is taken out of the checkout of another': `
    t12: buy price=month typed=Ann@Example.com pay=asks_payer_later
    t16: buy price=month ref=Ann email=Ann@Example.com
    p17: grant email=cid@example.com ref=Ann
    erase who=@t12
    pay tab=t16
  `,
  'people who were imported keep their access in a restore': `
    import rid=r2 email=bob@example.com
    b10: backup
    p12: grant rid=r1 email=bob@example.com
    restore backup=b10
  `,
  'an archived application is changed by commands alone': `
    p11: grant app=b email=cid@example.com
    archive-app app=b
    set-email app=b who=@p11 email=dot@example.com
    set-email app=b who=@p11 email=dot@example.com via=cli
  `,
  'paid days add up in a merge': `
    t1: buy price=month ref=ann typed=ann@example.com pay=good
    t2: buy price=month ref=bob typed=bob@example.com pay=good
    merge from=@t1 into=@t2
  `,
  'paid days last after a merge, also behind a grant that has ended': `
    t1: buy price=month typed=Ann@Example.com pay=good
    t8: buy price=month ref=ann email=cid@example.com pay=good
    p9: grant email=ann@example.com
    merge from=@t8 into=@p9
    advance seconds=3456000
    p20: grant email=ann@example.com days=-1
  `,
  'the provider tells of a payment whose payer was erased and came again': `
    p6: grant email=cid@example.com
    t8: buy price=trial ref=@p6 email=Ann@Example.com
    pay tab=t8
    t17: buy again=t8 pay=good
    erase who=@t17
    p23: grant email=ann@example.com
  `,
  'a payer who comes back by the uid of an erased person gets a page': `
    p1: grant email=cid@example.com
    p2: grant email=ann@example.com
    p3: grant email=Ann@Example.com
    erase who=@p3
    t7: buy price=every_month ref=@p3 email=cid@example.com pay=slow_later
  `,
  'a payer who comes back after an erasure gets a page': `
    p1: grant email=bob@example.com
    p2: grant email=cid@example.com
    t3: buy price=month ref=@p1 email=cid@example.com
    erase who=@p1
    pay tab=t3
    return tab=t3
  `,
  'money that opened nothing is paid back in full, though staff paid a part of it back at the provider': `
    t20: buy price=every_month typed=bob@example.com pay=slow_later
    t21: buy again=t20 pay=good
    refund-at-provider tab=t21
  `,
  'a reader whose own address had the trial gets none under another address': `
    t15: buy price=trial ref=Ann typed=ann@example.com pay=good
    p21: grant email=Ann@Example.com
    t24: buy price=trial ref=@p21 email=dot@example.com
  `,
  'staff are asked about the charge of a subscription that a restore has lost': `
    b1: backup
    t16: buy price=trial email=Ann@Example.com pay=slow
    advance seconds=864000
    restore backup=b1
  `,
  'events about the same pass keep their order within a millisecond': `
    open rid=r3 what=nothing
    open rid=r3 what=everything
    open rid=r3 what=one
    open rid=r3 what=everything
    p5: grant rid=r3 email=Ann@Example.com
  `,
  'a site is not told of the name that a silent import gives to a reader': `
    t9: buy price=week email=ann@example.com pay=good
    import email=Ann@Example.com ref=cid
  `,
  'the uid that answers show reaches a record, also once its reader has a reference': `
    t1: buy price=abo typed=ann@example.com pay=good
    p2: grant rid=r1 email=ann@example.com ref=ann
    check rid=r2 ref=@t1
    end-shown what=cancel
    end-shown refund=yes
    end-shown refund=yes
  `,
  'a grant by the uid gives an address to a reader who has none': `
    t1: buy price=month ref=ann typed=cid@example.com pay=good
    p2: grant rid=r2 email=ann@example.com ref=@t1
    p3: grant rid=r2 email=bob@example.com ref=@t1
  `,
  'a link by the uid is refused if its address is that of another reader': `
    p1: grant email=ann@example.com ref=ann
    p2: grant email=bob@example.com
    t3: buy price=month ref=@p1 email=bob@example.com pay=good
    t4: buy price=month ref=@p1 email=cid@example.com pay=good
  `,
  'the fast path and the route write the same bytes': `
    p1: grant email=dot@example.com days=90
  `,
}

describe.each(databases)('a history that once failed, on $name:', (database) => {
  let system: LocalSystem
  beforeAll(async () => {
    system = await LocalSystem.open(database)
  })
  afterAll(() => system?.close())

  it.each(Object.entries(HISTORIES))('%s', async (_, script) => {
    await replay(script, system)
  })
})
