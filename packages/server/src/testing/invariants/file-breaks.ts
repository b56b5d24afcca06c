import type { Break } from './break.ts'

/** Breaks rules about downloads, their links and deliveries, and images. */
export const FILE_BREAKS: readonly Break[] = [
  {
    rule: 'everything belongs to an application of this environment',
    break: `update downloads set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'everything belongs to an application of this environment',
    break: `update download_uses set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'everything belongs to an application of this environment',
    break: `update deliveries set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `update files set dropped = created where dropped is null`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `update files set sha256 = null`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `update files set size = null`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `delete from files where dropped is null`,
  },
  {
    rule: 'a file that no record names is dropped',
    break: `update files set dropped = null`,
  },
  {
    rule: 'a file that no record names is dropped',
    break: `delete from downloads`,
  },
  {
    rule: 'the downloads of a resource are in one order',
    break: `update downloads set position = -1`,
  },
  {
    rule: 'the downloads of a resource are in one order',
    break: `insert into downloads (id, aid, rid, title, description, image, file_id, file_name, type, filed, created,
      modified, published, image_id, position) select id || '2', aid, rid, title, description, image, file_id || '2', file_name, type,
      filed, created, modified, published, image_id, position from downloads`,
  },
  {
    rule: 'an accent color is one, and the texts of a brand are objects',
    break: `update applications set accent = 'red'`,
  },
  {
    rule: 'an accent color is one, and the texts of a brand are objects',
    break: `update applications set legal_links = ''`,
  },
  {
    rule: 'an image that is shown is there',
    break: `update applications set logo_id = 'none'`,
  },
  {
    rule: 'an image that is shown is there',
    break: `update resources set image_id = 'none'`,
  },
  {
    rule: 'an image that is shown is there',
    break: `update downloads set image_id = 'none'`,
  },
  {
    rule: 'every size of an image has its file',
    break: `insert into images select aid, 'x', 'image/png', 1, 1, '[{"file":"none"}]', 0 from applications`,
  },
  {
    rule: 'every size of an image has its file',
    break: `insert into images select aid, 'x', 'image/png', 1, 1,
      '[{"file":"' || id || '"},{"file":"none"}]', 0 from files where dropped is null`,
  },
  {
    rule: 'the uses of a link are counted without a gap, and not beyond what it allows',
    break: `update download_uses set number = 3 where number = 2`,
  },
  {
    rule: 'the uses of a link are counted without a gap, and not beyond what it allows',
    break: `delete from download_uses where number = 1`,
  },
  {
    rule: 'the uses of a link are counted without a gap, and not beyond what it allows',
    break: `update download_uses set most = 1`,
  },
  {
    rule: 'a use of a link covers a day',
    break: `update download_uses set opened = opened - 1 where number = 2`,
  },
  {
    rule: 'what another server delivered is not counted by us',
    break: `update deliveries set outcome = 'redirected'`,
  },
  {
    rule: 'what another server delivered is not counted by us',
    break: `update deliveries set bytes = -1`,
  },
  ...['filed', 'created', 'modified', 'published'].map((column) => ({
    rule: 'no row is from the future',
    break: `update downloads set ${column} = ${column} + 1`,
  })),
  { rule: 'no row is from the future', break: `update deliveries set at = at + 1` },
  {
    rule: 'no row is from the future',
    break: `update download_uses set opened = opened + 1 where number = 2`,
  },
]
