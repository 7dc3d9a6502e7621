/** Simple landscapes, so that the demonstration has pictures without files of anybody. */
const wide = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675" viewBox="0 0 1200 675">${content}</svg>`

const sky = (from: string, to: string): string =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="1200" height="675" fill="url(#sky)"/>`

const drawings = {
  harbour: wide(
    `${sky('#f6c8a0', '#fbe9d2')}<circle cx="860" cy="300" r="90" fill="#f28a4b"/><path d="M0 420h1200v255H0z" fill="#2f7f93"/><path d="M0 470q150-24 300 0t300 0 300 0 300 0v205H0z" fill="#276b7d"/><path d="M330 430h210l-34 56H364z" fill="#fff"/><path d="M430 210v214h-92z" fill="#fff4e4"/><path d="M444 190v234h112z" fill="#f3dcc0"/><path d="M690 450h120l-20 34h-82z" fill="#7b3f2f"/><path d="M748 330v116h-50z" fill="#fff4e4"/>`,
  ),
  kitchen: wide(
    `${sky('#fdf3e3', '#f6dfbd')}<ellipse cx="600" cy="360" rx="330" ry="210" fill="#fff"/><ellipse cx="600" cy="360" rx="240" ry="150" fill="#f4efe8"/><circle cx="540" cy="330" r="62" fill="#d9542b"/><circle cx="640" cy="400" r="54" fill="#e8a13a"/><path d="M640 290q70-30 90 40-70 30-90-40z" fill="#4f8a3c"/><path d="M520 420q-60 20-50-50 60-6 50 50z" fill="#6aa84f"/><path d="M150 180v330M130 180v110q20 40 40 0V180M1030 180q-50 120 10 180v150" stroke="#8f8a82" stroke-width="16" fill="none" stroke-linecap="round"/>`,
  ),
  spa: wide(
    `${sky('#d8eef0', '#f3fbfa')}<path d="M0 430h1200v245H0z" fill="#7cc4c4"/><path d="M0 480q200-40 400 0t400 0 400 0v195H0z" fill="#5fb0b3"/><ellipse cx="420" cy="440" rx="150" ry="52" fill="#5c5a57"/><ellipse cx="420" cy="378" rx="112" ry="42" fill="#7a7773"/><ellipse cx="420" cy="326" rx="74" ry="32" fill="#98948f"/><path d="M760 440c-20-150 60-230 150-270-6 140-50 220-150 270z" fill="#4e8f62"/><path d="M760 440c-90-50-140-130-120-230 90 50 130 130 120 230z" fill="#63a878"/>`,
  ),
  party: wide(
    `${sky('#20294d', '#4c3f78')}<path d="M0 120q300 150 600 0t600 0" stroke="#f6e3b4" stroke-width="5" fill="none"/>${[90, 230, 370, 510, 690, 830, 970, 1110].map(x => `<circle cx="${x}" cy="${x % 600 > 300 ? 150 : 190}" r="20" fill="#ffd166"/>`).join('')}<path d="M0 560h1200v115H0z" fill="#171d38"/><path d="M470 400h80l-30 70v90h-20v-90zM650 400h80l-30 70v90h-20v-90z" fill="#f7f3ff" opacity=".85"/><path d="M478 410h64l-22 50h-20zM658 410h64l-22 50h-20z" fill="#f2b84b"/>`,
  ),
} as const

export type Drawing = keyof typeof drawings

/** A drawing as a WebP file. */
export async function drawPicture(name: Drawing): Promise<Blob> {
  const { default: sharp } = await import('sharp')
  const bytes = await sharp(Buffer.from(drawings[name])).webp({ quality: 80 }).toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/webp' })
}
