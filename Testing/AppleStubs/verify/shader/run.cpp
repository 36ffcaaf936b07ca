// Runs the shaders of PictureShader.swift on this machine's CPU and compares their results with the formulas of BT.601
// and BT.709, which are computed here independently, from Kr and Kb in double precision.
//
//   run TABLE       TABLE: Testing/AppleStubs/verify/shader/uniforms.tsv
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "picture.metal"

namespace {
int failures = 0;

void expect(bool holds, const std::string &what) {
    if (holds) return;
    if (++failures <= 10) std::fprintf(stderr, "  %s\n", what.c_str());
}

// One row of the table: a conversion, in the bytes that AppleSurface passes to the shader.
struct Row {
    double kr = 0, kb = 0;
    bool isFull = false;
    std::string name;
    Conversion conversion;
};

static_assert(sizeof(Conversion) == 64 && alignof(Conversion) == 16, "four columns of 16 bytes");
static_assert(offsetof(Conversion, luma) == 0 && offsetof(Conversion, cb) == 16, "in the order of the table");
static_assert(offsetof(Conversion, cr) == 32 && offsetof(Conversion, offset) == 48, "in the order of the table");

bool read(const std::string &line, Row &row) {
    std::istringstream words(line);
    std::string standard, range;
    float numbers[16];
    words >> standard >> range;
    for (float &number : numbers)
        if (!(words >> number)) return false;
    if (words >> range) return false;
    row.name = line.substr(0, line.find('\t', line.find('\t') + 1));
    row.isFull = range == "full";
    row.kr = standard == "601" ? 0.299 : 0.2126;
    row.kb = standard == "601" ? 0.114 : 0.0722;
    std::memcpy(&row.conversion, numbers, sizeof numbers);
    return (standard == "601" || standard == "709") && (row.isFull || range == "limited");
}

double cut(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

// Computes RGB by the standard's formulas: R' = Y' + 2 (1 - Kr) Pr, B' = Y' + 2 (1 - Kb) Pb, and G' from
// Y' = Kr R' + Kg G' + Kb B'.
void formula(const Row &row, int y, int cb, int cr, double rgb[3]) {
    double const luma = row.isFull ? y / 255.0 : (y - 16) / 219.0;
    double const chroma = row.isFull ? 255.0 : 224.0;
    double const red = luma + 2 * (1 - row.kr) * (cr - 128) / chroma;
    double const blue = luma + 2 * (1 - row.kb) * (cb - 128) / chroma;
    double const green = (luma - row.kr * red - row.kb * blue) / (1 - row.kr - row.kb);
    rgb[0] = cut(red), rgb[1] = cut(green), rgb[2] = cut(blue);
}

metal::float4 texel(double a, double b) {
    // Missing components are 0 as in Core Video's textures: r8Unorm has no green, rg8Unorm no blue.
    return metal::vector4(static_cast<float>(a / 255), static_cast<float>(b / 255), 0, 1);
}

// Runs the fragment function on a picture of a single sample.
metal::float4 shade(const Row &row, int y, int cb, int cr) {
    metal::float4 const luma = texel(y, 0), chroma = texel(cb, cr);
    Corner in;
    in.place = metal::vector4(0, 0, 0, 1);
    in.texture = 0.5f;
    return picture(in, row.conversion, {&luma, 1, 1}, {&chroma, 1, 1}, {});
}

int check(const Row &row) {
    int count = 0;
    for (int y = 0; y <= 255; y += 15)
        for (int cb = 0; cb <= 255; cb += 15)
            for (int cr = 0; cr <= 255; cr += 15, ++count) {
                double wanted[3];
                formula(row, y, cb, cr, wanted);
                metal::float4 const given = shade(row, y, cb, cr);
                double const off = std::fmax(
                    std::fabs(given.x - wanted[0]),
                    std::fmax(std::fabs(given.y - wanted[1]), std::fabs(given.z - wanted[2])));
                char text[160];
                std::snprintf(
                    text, sizeof text, "%s: Y %d Cb %d Cr %d gives %.4f %.4f %.4f, not %.4f %.4f %.4f",
                    row.name.c_str(), y, cb, cr, static_cast<double>(given.x), static_cast<double>(given.y),
                    static_cast<double>(given.z), wanted[0], wanted[1], wanted[2]);
                expect(off <= 1.0 / 255 && given.w == 1, text);
            }
    return count;
}

// Runs the vertex function on a quad's corners, and both fragment functions on its results, and checks that the corners
// of the picture and the pointer are at the right places. The quad covers the left half of the view, as in
// ShaderTableTests.
void checkCorners(const float (&quad)[16], const Row &row) {
    metal::float4 corners[4];
    static_assert(sizeof corners == sizeof quad, "what Quad.corners has");
    std::memcpy(corners, quad, sizeof quad);
    // A picture of 2 x 2 different greys: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
    metal::float4 const luma[4] = {texel(40, 0), texel(90, 0), texel(150, 0), texel(210, 0)};
    metal::float4 const chroma = texel(128, 128);
    double const places[4][2] = {{-1, 1}, {-1, -1}, {0, 1}, {0, -1}};
    int const seen[4] = {0, 2, 1, 3};
    for (unsigned i = 0; i < 4; ++i) {
        Corner const out = corner(i, corners);
        std::string const name = "corner " + std::to_string(i);
        expect(out.place.z == 0 && out.place.w == 1, name + " is not in the plane of the screen");
        expect(out.place.x == static_cast<float>(places[i][0]), name + " is at another x");
        expect(out.place.y == static_cast<float>(places[i][1]), name + " is at another y");
        metal::float4 const shape = pointer(out, {luma, 2, 2}, {});
        expect(shape.x == luma[seen[i]].x, name + " shows another corner of the pointer");
        metal::float4 const color = picture(out, row.conversion, {luma, 2, 2}, {&chroma, 1, 1}, {});
        double wanted[3];
        formula(row, static_cast<int>(std::lround(luma[seen[i]].x * 255)), 128, 128, wanted);
        expect(std::fabs(color.x - wanted[0]) <= 1.0 / 255, name + " shows another corner of the picture");
    }
}
} // namespace

int main(int count, char **arguments) {
    if (count != 2) return 2;
    std::ifstream table(arguments[1]);
    std::string line;
    int rows = 0, quads = 0, samples = 0;
    Row row;
    while (std::getline(table, line)) {
        if (line.empty() || line[0] == '#') continue;
        if (line.rfind("quad\t", 0) == 0) {
            float quad[16];
            std::istringstream words(line.substr(5));
            for (float &number : quad) words >> number;
            expect(static_cast<bool>(words) && rows > 0, "a quad that can't be read: " + line);
            if (words && rows > 0) checkCorners(quad, row), ++quads;
            continue;
        }
        bool const isRow = read(line, row);
        expect(isRow, "a line that can't be read: " + line);
        if (isRow) samples += check(row), ++rows;
    }
    expect(rows == 4 && quads == 1, "the table has to have four conversions and a quad");
    if (failures > 0) return std::fprintf(stderr, "  %d of the shader's results are wrong.\n", failures), 1;
    std::printf("%d samples in %d conversions and %d quad\n", samples, rows, quads);
    return 0;
}
