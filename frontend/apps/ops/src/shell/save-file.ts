/** Hands a file to the browser, to be kept under this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // browsers read it after the press
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
