import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { Markdown } from '../../components/display/markdown.tsx'
import { Time } from '../../components/display/time.tsx'
import { ImageUpload } from '../../components/forms/image-upload.tsx'
import { formatNumber } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'

interface Props {
  resource: ResourceDetails
  canEdit: boolean
}

export function AboutCard({ resource, canEdit }: Props): ReactNode {
  const { path } = useAppScope()
  const now = useNow()
  const { rid, name, live, created, url, description, image, linked_image } = resource
  return (
    <Card title={texts.resources.aboutTitle}>
      <ImageUpload
        image={image}
        isUploaded={image !== linked_image}
        name={name}
        path={path('resources', ridToApiSegment(rid), 'image')}
        canEdit={canEdit}
        hint={texts.resources.uploadHint}
      />
      {description === '' ? (
        <p className="text-soft">{texts.resources.noDescription}</p>
      ) : (
        <Markdown text={description} />
      )}
      <dl className="grid gap-3 sm:max-lg:grid-cols-3">
        <Fact label={texts.resources.factsLive}>
          <Link
            to={path('access')}
            search={{ rid } as never}
            className="font-medium text-accent underline underline-offset-2"
          >
            {formatNumber(live)}
          </Link>
        </Fact>
        {url !== '' && (
          <Fact label={texts.resources.factsAddress}>
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="break-all text-accent underline underline-offset-2"
            >
              {url}
            </a>
          </Fact>
        )}
        <Fact label={texts.resources.factsCreated}>
          <Time day at={created * 1000} now={now} />
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid gap-0.5">
      <dt className="text-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
