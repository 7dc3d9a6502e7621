import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, numberOf, useTexts } from '../platform/texts.ts'
import { ExportButtons } from '../ui/download.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Card } from '../ui/page.tsx'
import { Section } from './section.tsx'

/** The hotel's storage, and the export of its people. */
export function Data() {
  const t = useTexts('hotel/data')
  const { workspace, may } = useMemberContext()
  const { ecosystemId } = workspace
  const usage = useLoad(`storage/${ecosystemId}`, signal => platform.media.getMediaUsage({ ecosystemId }, { signal }))
  const sizeOf = (bytes: number): string => {
    const [unit, size] = bytes >= 1e9 ? [t.GB, 1e9] : bytes >= 1e6 ? [t.MB, 1e6] : [t.kB, 1e3]
    return `${numberOf(Math.round((10 * bytes) / size) / 10)}\u00a0${unit}`
  }
  return (
    <Section title={t.storageAndExports} path="/hotel/data">
      <Card title={t.storage}>
        <Loaded load={usage}>
          {({ usedBytes, availableBytes, filesCount }) => {
            const totalBytes = usedBytes + availableBytes
            const share = totalBytes > 0 ? usedBytes / totalBytes : 0
            return (
              <>
                {share > 0.9 && <p class="note">{t.nearlyFull}</p>}
                <meter aria-label={t.storage} min={0} max={1} high={0.9} value={share} />
                <p>
                  <strong>{fill(t.used, { used: sizeOf(usedBytes), all: sizeOf(totalBytes) })}</strong>
                  <span class="hint">
                    {' '}
                    · {fill(t.left, { left: sizeOf(availableBytes) })} · {fill(t.files, { count: filesCount })}
                  </span>
                </p>
              </>
            )
          }}
        </Loaded>
      </Card>
      {may('export_data') && (
        <Card title={t.export}>
          <p>{t.exportText}</p>
          <ExportButtons
            name={t.name}
            report={t.saved}
            load={format => platform.member.exportMembers({ workspaceId: workspace.id, format })}
          />
        </Card>
      )}
    </Section>
  )
}
