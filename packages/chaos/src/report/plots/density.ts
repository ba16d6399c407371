/** Samples at equal distances, smoothed: a Gaussian of the width that Silverman's rule gives. Values are 0 … 1, the highest is 1. */
export function density(places: readonly number[], points: number): number[] {
  const count = places.length;
  const mean = places.reduce((sum, place) => sum + place, 0) / Math.max(count, 1);
  const deviation = Math.sqrt(places.reduce((sum, place) => sum + (place - mean) ** 2, 0) / Math.max(count - 1, 1));
  const width = Math.max(0.9 * deviation * Math.max(count, 1) ** -0.2, 0.8);
  const heights = Array.from({ length: points }, (_, at) => {
    const here = (at / (points - 1)) * 100;
    return places.reduce((sum, place) => sum + Math.exp(-0.5 * ((here - place) / width) ** 2), 0);
  });
  const highest = Math.max(...heights, Number.MIN_VALUE);
  return heights.map((height) => height / highest);
}
