import { logoOf } from "@countersign/core/brand"

/** Twice the size that link pages show a logo at, for sharp screens. */
const box = { width: 480, height: 112 }

/** The smallest height in pixels. A smaller logo would be blurred. */
const smallest = 28

const types = ["image/png", "image/jpeg", "image/webp"]

/** A larger file is hardly a logo, and would take long to decode. */
const largestFile = 10 * 1024 * 1024

/** Draws the image at a height, and returns the logo. Null when it is too large in bytes. */
const drawn = async (image: ImageBitmap, scale: number): Promise<string | null> => {
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext("2d")
  if (context === null) return null
  context.imageSmoothingQuality = "high"
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"))
  return blob === null ? null : logoOf(new Uint8Array(await blob.arrayBuffer()))
}

/** Turns a file into a logo: a PNG without metadata, scaled down until it is small enough. Or says why it cannot. */
export const logoFile = async (
  file: File
): Promise<{ readonly logo: string } | { readonly problem: "notImage" | "tooLarge" }> => {
  if (!types.includes(file.type) || file.size > largestFile) return { problem: "notImage" }
  const image = await createImageBitmap(file).catch(() => null)
  if (image === null) return { problem: "notImage" }
  let scale = Math.min(1, box.width / image.width, box.height / image.height)
  for (; image.height * scale >= Math.min(smallest, image.height); scale *= 0.8) {
    const logo = await drawn(image, scale)
    if (logo !== null) return { logo }
  }
  return { problem: "tooLarge" }
}
