import { useAction } from '../platform/action.ts'
import { saveAnswer } from '../platform/download.ts'
import { useHere } from '../platform/here.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { numberOf, plural, texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { Section } from './section.tsx'

const words = texts({
  en: {
    title: 'Storage and exports',
    storage: 'Storage',
    used: (used: string, all: string) => `${used} of ${all} used`,
    left: (left: string) => `${left} left`,
    file: 'file',
    files: 'files',
    nearlyFull: 'The storage is nearly full. Delete files or choose a larger plan.',
    export: 'Export the staff list',
    exportText:
      'A file with names, addresses, roles, teams and departments of everyone in this workspace. It holds personal data: keep it safe.',
    csv: 'Download CSV',
    xlsx: 'Download Excel',
    name: 'people',
    saved: 'The file was downloaded.',
    kB: 'kB',
    MB: 'MB',
    GB: 'GB',
  },
  fr: {
    title: 'Stockage et exports',
    storage: 'Stockage',
    used: (used: string, all: string) => `${used} utilisés sur ${all}`,
    left: (left: string) => `${left} libres`,
    file: 'fichier',
    files: 'fichiers',
    nearlyFull: 'Le stockage est presque plein. Supprimez des fichiers ou choisissez une formule plus grande.',
    export: 'Exporter la liste du personnel',
    exportText:
      'Un fichier avec les noms, adresses, rôles, équipes et services de tout l’espace de travail. Il contient des données personnelles : gardez-le en lieu sûr.',
    csv: 'Télécharger en CSV',
    xlsx: 'Télécharger pour Excel',
    name: 'personnes',
    saved: 'Le fichier a été téléchargé.',
    kB: 'ko',
    MB: 'Mo',
    GB: 'Go',
  },
})

/** The hotel's storage, and the export of its people. */
export function Data() {
  const t = useTexts(words)
  const { workspace, may } = useHere()
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
  const all = (value?.usedBytes ?? 0) + (value?.availableBytes ?? 0)
  const share = value && all > 0 ? value.usedBytes / all : 0
  return (
    <Section title={t.title} here="/hotel/data">
      <section class="card" aria-labelledby="storage">
        <h2 id="storage">{t.storage}</h2>
        <Problem error={error} onRetry={() => void reload()} />
        {!value && !error && <Loading />}
        {value && (
          <>
            {share > 0.9 && <p class="note">{t.nearlyFull}</p>}
            <meter aria-labelledby="storage" min={0} max={1} high={0.9} value={share} />
            <p>
              <strong>{t.used(sizeOf(value.usedBytes), sizeOf(all))}</strong>
              <span class="hint">
                {' '}
                · {t.left(sizeOf(value.availableBytes))} · {plural(value.filesCount, t.file, t.files)}
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
              {t.csv}
            </Button>
            <Button icon="download" isBusy={save.isRunning} onClick={() => void save.run('xlsx')}>
              {t.xlsx}
            </Button>
          </div>
        </section>
      )}
    </Section>
  )
}
