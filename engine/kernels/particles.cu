// One step of particles on springs: one thread an element, elements first to last. The results may lie on the inputs.
extern "C" __global__ void particles_kernel(const float* position, const float* velocity, float* new_position,
                                     float* new_velocity, float keep, float pull, float dt, long long first,
                                     long long last)
{
    long long at = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= last)
        return;
    float p = position[at];
    float v = keep * velocity[at] - pull * p;
    new_velocity[at] = v;
    new_position[at] = p + dt * v;
}
