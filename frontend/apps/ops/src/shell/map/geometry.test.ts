import { describe, expect, it } from 'vitest';

import { barOf, frameOf, kmBetween } from './geometry.ts';

const montreal = { lat: 45.5019, lon: -73.5674 };
const laval = { lat: 45.6066, lon: -73.7124 };
const quebec = { lat: 46.8139, lon: -71.208 };
const size = { width: 360, height: 300 };

describe('places on a drawing', () => {
  it('has north up and east right, all of it inside, and no direction stretched', () => {
    const { spot, scale } = frameOf([montreal, laval, quebec], size);
    for (const place of [montreal, laval, quebec]) {
      const { x, y } = spot(place);
      expect(x).toBeGreaterThanOrEqual(27);
      expect(x).toBeLessThanOrEqual(333);
      expect(y).toBeGreaterThanOrEqual(27);
      expect(y).toBeLessThanOrEqual(273);
    }
    expect(spot(quebec).x).toBeGreaterThan(spot(montreal).x);
    expect(spot(quebec).y).toBeLessThan(spot(montreal).y);
    const drawn = Math.hypot(spot(laval).x - spot(montreal).x, spot(laval).y - spot(montreal).y) / scale;
    expect(Math.abs(drawn - kmBetween(montreal, laval))).toBeLessThan(0.3);
  });

  it('does not fall over one place, or none', () => {
    const { spot, scale } = frameOf([montreal], size);
    expect(spot(montreal)).toEqual({ x: 180, y: 150 });
    expect(scale * 2).toBeLessThanOrEqual(360);
    expect(frameOf([], size).spot({ lat: 0, lon: 0 })).toEqual({ x: 180, y: 150 });
    expect(Number.isFinite(frameOf([montreal], { width: 0, height: 0 }).scale)).toBe(true);
  });

  it('measures with a bar of whole kilometres', () => {
    expect(barOf(10, 120)).toEqual({ km: 10, width: 100 });
    expect(barOf(0.2, 120)).toEqual({ km: 500, width: 100 });
    expect(barOf(100, 120)).toEqual({ km: 1, width: 100 });
  });

  it('knows how far it is', () => {
    expect(kmBetween(montreal, quebec)).toBeGreaterThan(225);
    expect(kmBetween(montreal, quebec)).toBeLessThan(240);
    expect(kmBetween(montreal, montreal)).toBe(0);
  });
});
