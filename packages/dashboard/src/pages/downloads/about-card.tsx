import { type DownloadItem, EDITORS } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { DescriptionList } from '../../components/display/description-list.tsx'
import { Markdown } from '../../components/display/markdown.tsx'
import { ImageUpload } from '../../components/forms/image-upload.tsx'
import { PageForm } from '../../components/forms/page-form.tsx'
import { TextAreaField, TextField, UrlField } from '../../components/forms/text-field.tsx'
import { required, useForm } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { changeDownload } from './change-download.ts'

/** The description of a file that readers see. */
export function AboutCard({ download }: { download: DownloadItem }): ReactNode {
  const canEdit = useHasRole(EDITORS)
  return (
    <Card title={texts.downloads.aboutTitle}>
      <Picture download={download} canEdit={canEdit} />
      {canEdit ? <AboutForm download={download} /> : <AboutFacts download={download} />}
    </Card>
  )
}

function Picture({
  download: { id, title, image, linked_image },
  canEdit,
}: {
  download: DownloadItem
  canEdit: boolean
}): ReactNode {
  const { path } = useAppScope()
  return (
    <ImageUpload
      image={image}
      isUploaded={image !== linked_image}
      name={title}
      path={path('downloads', id, 'image')}
      canEdit={canEdit}
      hint={texts.downloads.uploadHint}
    />
  )
}

function AboutFacts({
  download: { title, description, linked_image: image },
}: {
  download: DownloadItem
}): ReactNode {
  const words = texts.downloads
  return (
    <DescriptionList
      facts={[
        { label: words.title, value: title },
        {
          label: words.description.label,
          value: description === '' ? words.noDescription : <Markdown text={description} />,
        },
        image !== '' && { label: words.image.label, value: image },
      ]}
    />
  )
}

function imageProblem(text: string): string | undefined {
  const address = text.trim()
  if (address === '' || (/^https?:/i.test(address) && URL.canParse(address))) return undefined
  return texts.downloads.notAnAddress
}

function AboutForm({ download }: { download: DownloadItem }): ReactNode {
  const scope = useAppScope()
  const words = texts.downloads
  const { id, title, description, linked_image: image } = download
  const form = useForm(
    { title, description, image },
    {
      check: (typed) => ({ title: required(typed.title), image: imageProblem(typed.image) }),
      send: async (typed) => {
        const told = { ...typed, title: typed.title.trim(), image: typed.image.trim() }
        await changeDownload(scope, id, told)
        toast(texts.common.saved)
      },
    },
  )
  const { values } = form
  const isAsItWas =
    values.title === title && values.description === description && values.image === image
  return (
    <PageForm form={form} action={texts.common.save} disabled={isAsItWas}>
      <TextField {...form.field('title')} label={words.title} />
      <TextAreaField {...form.field('description')} {...words.description} optional />
      <UrlField {...form.field('image')} {...words.image} optional />
    </PageForm>
  )
}
