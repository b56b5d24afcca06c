import { type Block, type Inline, parseMarkdown } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'

/** Shows a description as readers see it: paragraphs, emphasis, lists and links. */
export function Markdown({ text }: { text: string }): ReactNode {
  return <div className="grid gap-2">{parseMarkdown(text).map(showBlock)}</div>
}

// The parts of a text have no ids, and the whole text is rendered anew when it changes.
function showBlock({ kind, lines }: Block, at: number): ReactNode {
  if (kind === 'paragraph') {
    return (
      <p key={at} className="whitespace-pre-line">
        {lines.map((line, i) => [i === 0 ? '' : '\n', ...line.map(showPart)])}
      </p>
    )
  }
  const List = kind === 'bullets' ? 'ul' : 'ol'
  return (
    <List key={at} className={kind === 'bullets' ? 'list-disc pl-5' : 'list-decimal pl-5'}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move.
        <li key={i}>{line.map(showPart)}</li>
      ))}
    </List>
  )
}

function showPart(part: Inline, at: number): ReactNode {
  if (part.kind === 'text') return part.text
  if (part.kind === 'strong') return <strong key={at}>{part.content.map(showPart)}</strong>
  if (part.kind === 'emphasis') return <em key={at}>{part.content.map(showPart)}</em>
  return (
    <a
      key={at}
      href={part.url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline underline-offset-2"
    >
      {part.text}
    </a>
  )
}
