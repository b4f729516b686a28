/** Two short tones. A browser stays silent until the user has used the page once. */
export const ring = (): void => {
  const audio = new AudioContext()
  const start = audio.currentTime
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const at = start + index * 0.16
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, at)
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + 0.3)
  }
  setTimeout(() => void audio.close(), 1_000)
}
