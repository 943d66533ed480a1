/** A place on the earth, degrees. */
export interface Point {
  lat: number;
  lon: number;
}

/** A place on the drawing. */
export interface Spot {
  x: number;
  y: number;
}

/** How places are put on a drawing. */
export interface Frame {
  spot: (place: Point) => Spot;
  /** Pixels of a kilometre. */
  scale: number;
}

const kmOfDegree = 111.2;
/** Of the edge, so that marks and numbers are not cut. */
const margin = 28;
/** What is nearer together is not drawn larger: a map of one street says nothing of a day. */
const leastKm = 2;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Puts these places on a drawing of a size, north up, as large as they fit. */
export function frameOf(places: readonly Point[], { width, height }: { width: number; height: number }): Frame {
  const [lats, lons] = [places.map(({ lat }) => lat), places.map(({ lon }) => lon)];
  const middle = (values: number[]) => (values.length === 0 ? 0 : (Math.min(...values) + Math.max(...values)) / 2);
  const [lat, lon] = [middle(lats), middle(lons)];
  // meridians come together towards the pole
  const [kmX, kmY] = [kmOfDegree * Math.cos(radians(lat)), kmOfDegree];
  const reach = (values: number[], centre: number, km: number) =>
    Math.max(leastKm, ...values.map((value) => Math.abs(value - centre) * km * 2));
  const scale = Math.min(
    Math.max(width - 2 * margin, 1) / reach(lons, lon, kmX),
    Math.max(height - 2 * margin, 1) / reach(lats, lat, kmY),
  );
  return {
    scale,
    spot: (place) => ({
      x: width / 2 + (place.lon - lon) * kmX * scale,
      y: height / 2 - (place.lat - lat) * kmY * scale,
    }),
  };
}

/** Kilometres from one place to another, as the crow flies. */
export function kmBetween(from: Point, to: Point): number {
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const h = half(from.lat, to.lat) + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * half(from.lon, to.lon);
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** A whole number of kilometres that a bar of at most so many pixels can stand for. */
export function barOf(scale: number, longest: number): { km: number; width: number } {
  const km = [500, 200, 100, 50, 20, 10, 5, 2].find((one) => one * scale <= longest) ?? 1;
  return { km, width: km * scale };
}
