"""The pipeline as a script: it reads frames, takes the noise out, sharpens, and keeps the result. Nothing overlaps."""

import numpy as np

HEIGHT, WIDTH, FRAMES = 720, 1280, 6


def soften(frame: np.ndarray, radius: int) -> np.ndarray:
    padded = np.pad(frame, radius, mode="edge")
    total = np.zeros_like(frame)
    for down in range(2 * radius + 1):
        for right in range(2 * radius + 1):
            total += padded[down : down + frame.shape[0], right : right + frame.shape[1]]
    return total / np.float32((2 * radius + 1) ** 2)


def sharpen(frame: np.ndarray, soft: np.ndarray, amount: float) -> np.ndarray:
    return frame + np.float32(amount) * (frame - soft)


if __name__ == "__main__":
    random = np.random.default_rng(7)
    for _ in range(FRAMES):
        frame = random.random((HEIGHT, WIDTH), np.float32)
        soft = soften(frame, 2)
        print(float(sharpen(frame, soft, 0.5).mean()))
