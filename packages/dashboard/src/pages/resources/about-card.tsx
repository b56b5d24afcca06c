import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatNumber } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

export function AboutCard({ resource }: { resource: ResourceDetails }): ReactNode {
  const { path } = useAppScope()
  const now = useNow()
  const { rid, name, live, created, url, description, image } = resource
  return (
    <Card title={texts.resources.aboutTitle}>
      {image !== '' && <Picture key={image} src={image} name={name} />}
      {description === '' ? (
        <p className="text-soft">{texts.resources.noDescription}</p>
      ) : (
        <p className="whitespace-pre-line">{description}</p>
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

/** The content security policy allows images over https only; others would only cause errors. */
function Picture({ src, name }: { src: string; name: string }): ReactNode {
  const [isBroken, setBroken] = useState(false)
  if (!/^https:/i.test(src)) return <p className="text-soft">{texts.resources.imageHidden}</p>
  if (isBroken) return <p className="text-soft">{texts.resources.imageBroken}</p>
  return (
    <img
      src={src}
      alt={texts.resources.imageAlt(name)}
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
      className="max-h-56 max-w-full justify-self-start rounded-lg border border-line bg-paper"
    />
  )
}
