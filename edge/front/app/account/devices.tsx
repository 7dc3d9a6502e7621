import type { Session } from '../../../../gen/client/auth.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { texts, timeAgo, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'

const words = texts({
  en: {
    title: 'Devices',
    text: 'Where you’re signed in. Sign out any device you don’t recognise, then change your password.',
    here: 'This device',
    unknown: 'Unknown device',
    computer: 'Computer',
    phone: 'Phone',
    tablet: 'Tablet',
    active: (ago: string) => `active ${ago}`,
    end: 'Sign out',
    endNamed: (name: string) => `Sign out ${name}`,
    endOthers: 'Sign out all other devices',
    ended: 'Signed out.',
  },
  fr: {
    title: 'Appareils',
    text: 'Les appareils sur lesquels vous êtes connecté. Déconnectez ceux que vous ne reconnaissez pas, puis changez votre mot de passe.',
    here: 'Cet appareil',
    unknown: 'Appareil inconnu',
    computer: 'Ordinateur',
    phone: 'Téléphone',
    tablet: 'Tablette',
    active: (ago: string) => `actif ${ago}`,
    end: 'Déconnecter',
    endNamed: (name: string) => `Déconnecter ${name}`,
    endOthers: 'Déconnecter tous les autres appareils',
    ended: 'Déconnecté.',
  },
})

/** What the platform calls a device. */
const kinds = ['computer', 'phone', 'tablet'] as const

/** The person's sessions, each of which can be ended from here. */
export function Devices() {
  const t = useTexts(words)
  const { value, error, isLoading, reload, change } = useLoad('sessions', signal =>
    platform.auth.listMySessions({}, { signal }),
  )
  const end = useAction(async (id: string) => {
    await platform.auth.endMySession({ id })
    change(list => ({ ...list, data: list.data.filter(one => one.id !== id) }))
    notify(t.ended)
    void reload()
  })
  const endOthers = useAction(async () => {
    await platform.auth.endMyOtherSessions()
    await reload()
    notify(t.ended)
  })
  const sessions = value?.data ?? []
  const nameOf = ({ deviceInfo }: Session): string => {
    const kind = kinds.find(one => one === deviceInfo?.device)
    return [kind && t[kind], deviceInfo?.os].filter(Boolean).join(' · ') || t.unknown
  }
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <p>{t.text}</p>
      <Problem error={error ?? end.error ?? endOthers.error} />
      {!value && isLoading && <Loading />}
      <ul class="devices">
        {sessions.map(each => (
          <li key={each.id}>
            <Icon name="device" />
            <div>
              <strong>{nameOf(each)}</strong>
              <p class="hint">
                {each.isCurrent
                  ? t.here
                  : [each.deviceInfo?.ip, each.lastActivity && t.active(timeAgo(each.lastActivity))]
                      .filter(Boolean)
                      .join(' · ')}
              </p>
            </div>
            {!each.isCurrent && (
              <Button class="small" aria-label={t.endNamed(nameOf(each))} onClick={() => void end.run(each.id)}>
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <Button onClick={() => void endOthers.run()} isBusy={endOthers.isRunning}>
          {t.endOthers}
        </Button>
      )}
    </section>
  )
}
