/// The shaders in Metal's language: the vertex shader for a strip of four corners, and the fragment shaders for a
/// picture and for the pointer.
///
/// Metal compiles them at run time on the device. The Apple check in `script` compiles them as C++ and compares their
/// results with the formulas of BT.601 and BT.709.
enum PictureShader {
    static let vertex = "corner"
    static let picture = "picture"
    static let pointer = "pointer"

    static let source = """
        #include <metal_stdlib>
        using namespace metal;

        struct Corner {
            float4 place [[position]];
            float2 texture;
        };

        struct Conversion {
            float4 luma, cb, cr, offset;
        };

        vertex Corner corner(uint index [[vertex_id]], constant float4 *corners [[buffer(0)]]) {
            float4 given = corners[index];
            return { float4(given.xy, 0, 1), given.zw };
        }

        fragment float4 picture(
            Corner in [[stage_in]], constant Conversion &conversion [[buffer(0)]],
            texture2d<float> luma [[texture(0)]], texture2d<float> chroma [[texture(1)]], sampler samples [[sampler(0)]]
        ) {
            float y = luma.sample(samples, in.texture).r - conversion.offset.x;
            float2 color = chroma.sample(samples, in.texture).rg - conversion.offset.yz;
            float3 rgb = conversion.luma.xyz * y + conversion.cb.xyz * color.x + conversion.cr.xyz * color.y;
            return float4(saturate(rgb), 1);
        }

        fragment float4 pointer(
            Corner in [[stage_in]], texture2d<float> shape [[texture(0)]], sampler samples [[sampler(0)]]
        ) {
            return shape.sample(samples, in.texture);
        }
        """
}
