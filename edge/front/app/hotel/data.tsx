import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, numberOf, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { saveAnswer } from '../ui/download.ts'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { Section } from './section.tsx'

/** The hotel's storage, and the export of its people. */
export function Data() {
  const t = useTexts('hotel/data')
  const { workspace, may } = useMemberContext()
  const { ecosystemId } = workspace
  const { value, error, reload } = useLoad(`storage/${ecosystemId}`, signal =>
    platform.media.getMediaUsage({ ecosystemId }, { signal }),
  )
  const save = useAction(async (format: 'csv' | 'xlsx') => {
    const answer = await platform.member.exportMembers({ workspaceId: workspace.id, format })
    await saveAnswer(answer, `${t.name}.${format}`)
    notify(t.saved)
  })
  const sizeOf = (bytes: number): string => {
    const [unit, size] = bytes >= 1e9 ? [t.GB, 1e9] : bytes >= 1e6 ? [t.MB, 1e6] : [t.kB, 1e3]
    return `${numberOf(Math.round((10 * bytes) / size) / 10)}\u00a0${unit}`
  }
  const totalBytes = (value?.usedBytes ?? 0) + (value?.availableBytes ?? 0)
  const share = value && totalBytes > 0 ? value.usedBytes / totalBytes : 0
  return (
    <Section title={t.storageAndExports} path="/hotel/data">
      <section class="card" aria-labelledby="storage">
        <h2 id="storage">{t.storage}</h2>
        <Problem error={error} onRetry={() => void reload()} />
        {!value && !error && <Loading />}
        {value && (
          <>
            {share > 0.9 && <p class="note">{t.nearlyFull}</p>}
            <meter aria-labelledby="storage" min={0} max={1} high={0.9} value={share} />
            <p>
              <strong>{fill(t.used, { used: sizeOf(value.usedBytes), all: sizeOf(totalBytes) })}</strong>
              <span class="hint">
                {' '}
                · {fill(t.left, { left: sizeOf(value.availableBytes) })} · {fill(t.files, { count: value.filesCount })}
              </span>
            </p>
          </>
        )}
      </section>
      {may('export_data') && (
        <section class="card" aria-labelledby="export">
          <h2 id="export">{t.export}</h2>
          <p>{t.exportText}</p>
          <Problem error={save.error} />
          <div class="actions">
            <Button icon="download" isBusy={save.isRunning} onClick={() => void save.run('csv')}>
              {t.downloadCsv}
            </Button>
            <Button icon="download" isBusy={save.isRunning} onClick={() => void save.run('xlsx')}>
              {t.downloadXlsx}
            </Button>
          </div>
        </section>
      )}
    </Section>
  )
}
